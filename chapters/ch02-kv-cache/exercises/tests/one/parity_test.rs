//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/parity_test.rs"]
mod parity_test_answer;
#[path = "../../checks/parity_test.rs"]
mod parity_test_check;

#[test]
fn parity_test() -> Result<(), Told> {
    use parity_test_answer as answer;
    use parity_test_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "parity_test",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/compare.html",
        section: "A test that can fail",
    };
    EXERCISE.test(|| check(answer::parity_test))
}
