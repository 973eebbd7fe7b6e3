//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/online_softmax.rs"]
mod online_softmax_answer;
#[path = "../../checks/online_softmax.rs"]
mod online_softmax_check;

#[test]
fn online_softmax() -> Result<(), Told> {
    use online_softmax_answer as answer;
    use online_softmax_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "online_softmax",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/pieces.html",
        section: "One step",
    };
    EXERCISE.test(|| check(answer::next_piece, answer::result))
}
