//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/argmax.rs"]
mod argmax_answer;
#[path = "../../checks/argmax.rs"]
mod argmax_check;

#[test]
fn argmax() -> Result<(), Told> {
    use argmax_answer as answer;
    use argmax_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "argmax",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "ground/sampling.html",
        section: "Greedy",
    };
    EXERCISE.test(|| check(answer::argmax_test))
}
