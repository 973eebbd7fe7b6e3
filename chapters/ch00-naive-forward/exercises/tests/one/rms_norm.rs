//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/rms_norm.rs"]
mod rms_norm_answer;
#[path = "../../checks/rms_norm.rs"]
mod rms_norm_check;

#[test]
fn rms_norm() -> Result<(), Told> {
    use rms_norm_answer as answer;
    use rms_norm_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "rms_norm",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/product.html",
        section: "RMSNorm",
    };
    EXERCISE.test(|| check(answer::rms_norm_heads))
}
