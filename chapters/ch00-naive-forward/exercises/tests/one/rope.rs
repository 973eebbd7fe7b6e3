//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/rope.rs"]
mod rope_answer;
#[path = "../../checks/rope.rs"]
mod rope_check;

#[test]
fn rope() -> Result<(), Told> {
    use rope_answer as answer;
    use rope_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "rope",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/positions.html",
        section: "Positions",
    };
    EXERCISE.test(|| check(answer::move_key))
}
