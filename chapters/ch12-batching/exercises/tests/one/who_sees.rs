//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/who_sees.rs"]
mod who_sees_answer;
#[path = "../../checks/who_sees.rs"]
mod who_sees_check;

#[test]
fn who_sees() -> Result<(), Told> {
    use who_sees_answer as answer;
    use who_sees_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "who_sees",
        package: "ch12-exercises",
        folder: "chapters/ch12-batching/exercises",
        page: "ch12/attend.html",
        section: "Each its own",
    };
    EXERCISE.test(|| check(answer::mask))
}
