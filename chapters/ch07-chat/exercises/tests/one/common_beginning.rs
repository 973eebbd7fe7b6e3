//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/common_beginning.rs"]
mod common_beginning_answer;
#[path = "../../checks/common_beginning.rs"]
mod common_beginning_check;

#[test]
fn common_beginning() -> Result<(), Told> {
    use common_beginning_answer as answer;
    use common_beginning_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "common_beginning",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/kept.html",
        section: "A cache and its tokens",
    };
    EXERCISE.test(|| check(answer::kept))
}
