//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/read_integer.rs"]
mod read_integer_answer;
#[path = "../../checks/read_integer.rs"]
mod read_integer_check;

#[test]
fn read_integer() -> Result<(), Told> {
    use read_integer_answer as answer;
    use read_integer_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "read_integer",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/file.html",
        section: "Keys and values",
    };
    EXERCISE.test(|| check(answer::read_integer))
}
