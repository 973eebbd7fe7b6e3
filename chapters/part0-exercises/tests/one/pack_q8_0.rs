//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/pack_q8_0.rs"]
mod pack_q8_0_answer;
#[path = "../../checks/pack_q8_0.rs"]
mod pack_q8_0_check;

#[test]
fn pack_q8_0() -> Result<(), Told> {
    use pack_q8_0_answer as answer;
    use pack_q8_0_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "pack_q8_0",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/eight-bits.html",
        section: "A block of Q8_0",
    };
    EXERCISE.test(|| check(answer::pack_q8_0))
}
