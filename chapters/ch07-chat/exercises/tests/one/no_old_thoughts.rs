//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/no_old_thoughts.rs"]
mod no_old_thoughts_answer;
#[path = "../../checks/no_old_thoughts.rs"]
mod no_old_thoughts_check;

#[test]
fn no_old_thoughts() -> Result<(), Told> {
    use no_old_thoughts_answer as answer;
    use no_old_thoughts_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "no_old_thoughts",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/seam.html",
        section: "Thinking on",
    };
    EXERCISE.test(|| check(answer::history))
}
