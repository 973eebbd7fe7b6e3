//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/edit_in_the_middle.rs"]
mod edit_in_the_middle_answer;
#[path = "../../checks/edit_in_the_middle.rs"]
mod edit_in_the_middle_check;

#[test]
fn edit_in_the_middle() -> Result<(), Told> {
    use edit_in_the_middle_answer as answer;
    use edit_in_the_middle_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "edit_in_the_middle",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/kept.html",
        section: "What an early end leaves",
    };
    EXERCISE.test(|| check(answer::edit))
}
