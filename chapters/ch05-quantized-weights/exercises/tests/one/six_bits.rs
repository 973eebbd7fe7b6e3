//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/six_bits.rs"]
mod six_bits_answer;
#[path = "../../checks/six_bits.rs"]
mod six_bits_check;

#[test]
fn six_bits() -> Result<(), Told> {
    use six_bits_answer as answer;
    use six_bits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "six_bits",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/six-bits.html",
        section: "Two places for six bits",
    };
    EXERCISE.test(|| check(answer::six_bits))
}
