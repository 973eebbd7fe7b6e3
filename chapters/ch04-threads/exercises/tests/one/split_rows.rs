//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/split_rows.rs"]
mod split_rows_answer;
#[path = "../../checks/split_rows.rs"]
mod split_rows_check;

#[test]
fn split_rows() -> Result<(), Told> {
    use split_rows_answer as answer;
    use split_rows_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "split_rows",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/shares.html",
        section: "Pieces, and who gets them",
    };
    EXERCISE.test(|| check(answer::split_rows))
}
