//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/one_scale_too_far.rs"]
mod one_scale_too_far_answer;
#[path = "../../checks/one_scale_too_far.rs"]
mod one_scale_too_far_check;

#[test]
fn one_scale_too_far() -> Result<(), Told> {
    use one_scale_too_far_answer as answer;
    use one_scale_too_far_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "one_scale_too_far",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/ahead.html",
        section: "One request for each block",
    };
    EXERCISE.test(|| check(answer::product))
}
