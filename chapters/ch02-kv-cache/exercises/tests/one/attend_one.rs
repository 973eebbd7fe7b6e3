//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/attend_one.rs"]
mod attend_one_answer;
#[path = "../../checks/attend_one.rs"]
mod attend_one_check;

#[test]
fn attend_one() -> Result<(), Told> {
    use attend_one_answer as answer;
    use attend_one_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "attend_one",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/model.html",
        section: "One query needs no mask",
    };
    EXERCISE.test(|| check(answer::attend_one))
}
