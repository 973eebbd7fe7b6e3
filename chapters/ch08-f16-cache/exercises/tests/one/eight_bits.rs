//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/eight_bits.rs"]
mod eight_bits_answer;
#[path = "../../checks/eight_bits.rs"]
mod eight_bits_check;

#[test]
fn eight_bits() -> Result<(), Told> {
    use eight_bits_answer as answer;
    use eight_bits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "eight_bits",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/error.html",
        section: "What the rounding costs",
    };
    EXERCISE.test(|| check(answer::write, answer::read, answer::most_off))
}
