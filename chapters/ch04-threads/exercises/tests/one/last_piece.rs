//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/last_piece.rs"]
mod last_piece_answer;
#[path = "../../checks/last_piece.rs"]
mod last_piece_check;

#[test]
fn last_piece() -> Result<(), Told> {
    use last_piece_answer as answer;
    use last_piece_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "last_piece",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/heads.html",
        section: "Cutting attention",
    };
    EXERCISE.test(|| check(answer::last_piece))
}
