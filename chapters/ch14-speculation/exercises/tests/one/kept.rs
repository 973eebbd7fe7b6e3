//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/kept.rs"]
mod kept_answer;
#[path = "../../checks/kept.rs"]
mod kept_check;

#[test]
fn kept() -> Result<(), Told> {
    use kept_answer as answer;
    use kept_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "kept",
        package: "ch14-exercises",
        folder: "chapters/ch14-speculation/exercises",
        page: "ch14/check.html",
        section: "What stays",
    };
    EXERCISE.test(|| check(answer::kept))
}
