//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/widen_f16.rs"]
mod widen_f16_answer;
#[path = "../../checks/widen_f16.rs"]
mod widen_f16_check;

#[test]
fn widen_f16() -> Result<(), Told> {
    use widen_f16_answer as answer;
    use widen_f16_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "widen_f16",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/file.html",
        section: "Numbers of three types",
    };
    EXERCISE.test(|| check(answer::widen))
}
