//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/copy_on_write.rs"]
mod copy_on_write_answer;
#[path = "../../checks/copy_on_write.rs"]
mod copy_on_write_check;

#[test]
fn copy_on_write() -> Result<(), Told> {
    use copy_on_write_answer as answer;
    use copy_on_write_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "copy_on_write",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/fork.html",
        section: "Sharing, and writing",
    };
    EXERCISE.test(|| check(answer::append))
}
