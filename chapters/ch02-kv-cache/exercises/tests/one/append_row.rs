//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/append_row.rs"]
mod append_row_answer;
#[path = "../../checks/append_row.rs"]
mod append_row_check;

#[test]
fn append_row() -> Result<(), Told> {
    use append_row_answer as answer;
    use append_row_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "append_row",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/cache.html",
        section: "Appending a row",
    };
    EXERCISE.test(|| check(answer::append_row))
}
