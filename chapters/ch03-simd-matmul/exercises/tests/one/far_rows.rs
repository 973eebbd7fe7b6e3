//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/far_rows.rs"]
mod far_rows_answer;
#[path = "../../checks/far_rows.rs"]
mod far_rows_check;

#[test]
fn far_rows() -> Result<(), Told> {
    use far_rows_answer as answer;
    use far_rows_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "far_rows",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/far-rows.html",
        section: "The kernel for decode",
    };
    EXERCISE.test(|| check(answer::far_rows))
}
