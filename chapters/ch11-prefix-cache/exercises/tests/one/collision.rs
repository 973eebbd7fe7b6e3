//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/collision.rs"]
mod collision_answer;
#[path = "../../checks/collision.rs"]
mod collision_check;

#[test]
fn collision() -> Result<(), Told> {
    use collision_answer as answer;
    use collision_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "collision",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/index.html",
        section: "Not a hash",
    };
    EXERCISE.test(|| check(answer::another, answer::served))
}
