//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/bytes_at_depth.rs"]
mod bytes_at_depth_answer;
#[path = "../../checks/bytes_at_depth.rs"]
mod bytes_at_depth_check;

#[test]
fn bytes_at_depth() -> Result<(), Told> {
    use bytes_at_depth_answer as answer;
    use bytes_at_depth_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "bytes_at_depth",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/index.html",
        section: "Where a deep step goes",
    };
    EXERCISE.test(|| check(answer::bytes, answer::most_tokens, answer::even_depth))
}
