//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/undo_turn.rs"]
mod undo_turn_answer;
#[path = "../../checks/undo_turn.rs"]
mod undo_turn_check;

#[test]
fn undo_turn() -> Result<(), Told> {
    use undo_turn_answer as answer;
    use undo_turn_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "undo_turn",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/turns.html",
        section: "Undo for free",
    };
    EXERCISE.test(|| check(answer::undo))
}
