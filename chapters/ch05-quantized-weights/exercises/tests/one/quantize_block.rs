//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/quantize_block.rs"]
mod quantize_block_answer;
#[path = "../../checks/quantize_block.rs"]
mod quantize_block_check;

#[test]
fn quantize_block() -> Result<(), Told> {
    use quantize_block_answer as answer;
    use quantize_block_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "quantize_block",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/rounding.html",
        section: "By hand",
    };
    EXERCISE.test(|| check(answer::quantize_block))
}
