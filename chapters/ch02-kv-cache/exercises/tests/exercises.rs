//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/append_row.rs"]
mod append_row;

#[test]
fn append_row() -> Result<(), Box<Report>> {
    use append_row::check;
    use ch02_exercises::append_row as answer;
    static EXERCISE: Exercise = Exercise {
        name: "append_row",
        package: "ch02-exercises",
        page: "ch02/basic.md",
        section: "Appending a row",
    };
    EXERCISE.run(|| check(answer::append_row))
}
