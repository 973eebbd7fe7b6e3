//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/waits.rs"]
mod waits_answer;
#[path = "../../checks/waits.rs"]
mod waits_check;

#[test]
fn waits() -> Result<(), Told> {
    use waits_answer as answer;
    use waits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "waits",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/index.html",
        section: "One engine, many clients",
    };
    EXERCISE.test(|| check(answer::one_after_the_other, answer::in_turn))
}
