//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/candidates.rs"]
mod candidates_answer;
#[path = "../../checks/candidates.rs"]
mod candidates_check;

#[test]
fn candidates() -> Result<(), Told> {
    use candidates_answer as answer;
    use candidates_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "candidates",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "ground/sampling.html",
        section: "Top-k and top-p",
    };
    EXERCISE.test(|| check(answer::candidates))
}
