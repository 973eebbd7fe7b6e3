//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/moved_pieces.rs"]
mod moved_pieces_answer;
#[path = "../../checks/moved_pieces.rs"]
mod moved_pieces_check;

#[test]
fn moved_pieces() -> Result<(), Told> {
    use moved_pieces_answer as answer;
    use moved_pieces_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "moved_pieces",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/pieces.html",
        section: "Where the pieces begin",
    };
    EXERCISE.test(|| check(answer::attend))
}
