//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/same_bits.rs"]
mod same_bits_answer;
#[path = "../../checks/same_bits.rs"]
mod same_bits_check;

#[test]
fn same_bits() -> Result<(), Told> {
    use same_bits_answer as answer;
    use same_bits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "same_bits",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/same-bits.html",
        section: "What \"the same\" means",
    };
    EXERCISE.test(|| check(answer::first_difference))
}
