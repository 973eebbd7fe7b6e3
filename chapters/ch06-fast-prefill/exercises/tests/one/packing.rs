//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/packing.rs"]
mod packing_answer;
#[path = "../../checks/packing.rs"]
mod packing_check;

#[test]
fn packing() -> Result<(), Told> {
    use packing_answer as answer;
    use packing_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "packing",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/unpacked.html",
        section: "What is computed once for x",
    };
    EXERCISE.test(|| check(answer::pack, answer::start, answer::add_column))
}
