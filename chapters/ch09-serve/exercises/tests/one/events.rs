//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/events.rs"]
mod events_answer;
#[path = "../../checks/events.rs"]
mod events_check;

#[test]
fn events() -> Result<(), Told> {
    use events_answer as answer;
    use events_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "events",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/streams.html",
        section: "As it comes",
    };
    EXERCISE.test(|| check(answer::Events::new, answer::Events::push))
}
