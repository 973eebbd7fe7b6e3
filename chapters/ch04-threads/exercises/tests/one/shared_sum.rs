//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/shared_sum.rs"]
mod shared_sum_answer;
#[path = "../../checks/shared_sum.rs"]
mod shared_sum_check;

#[test]
fn shared_sum() -> Result<(), Told> {
    use shared_sum_answer as answer;
    use shared_sum_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "shared_sum",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/index.html",
        section: "What must not change",
    };
    EXERCISE.test(|| check(answer::shared_sum))
}
