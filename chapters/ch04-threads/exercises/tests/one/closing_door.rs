//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/closing_door.rs"]
mod closing_door_answer;
#[path = "../../checks/closing_door.rs"]
mod closing_door_check;

#[test]
fn closing_door() -> Result<(), Told> {
    use closing_door_answer as answer;
    use closing_door_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "closing_door",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/sleep.html",
        section: "Condition variables: stop looking",
    };
    EXERCISE.test(|| {
        check(answer::Door::new, answer::Door::enter, answer::Door::leave, answer::Door::close)
    })
}
