//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/tensor_offsets.rs"]
mod tensor_offsets_answer;
#[path = "../../checks/tensor_offsets.rs"]
mod tensor_offsets_check;

#[test]
fn tensor_offsets() -> Result<(), Told> {
    use tensor_offsets_answer as answer;
    use tensor_offsets_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "tensor_offsets",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/file.html",
        section: "Where the numbers are",
    };
    EXERCISE.test(|| check(answer::tensor_offsets))
}
