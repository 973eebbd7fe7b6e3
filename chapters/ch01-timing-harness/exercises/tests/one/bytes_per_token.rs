//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/bytes_per_token.rs"]
mod bytes_per_token_answer;
#[path = "../../checks/bytes_per_token.rs"]
mod bytes_per_token_check;

#[test]
fn bytes_per_token() -> Result<(), Told> {
    use bytes_per_token_answer as answer;
    use bytes_per_token_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "bytes_per_token",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/roofline.html",
        section: "Bytes for one token",
    };
    EXERCISE.test(|| check(answer::bytes_per_token))
}
