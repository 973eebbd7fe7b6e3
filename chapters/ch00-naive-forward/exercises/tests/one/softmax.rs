//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/softmax.rs"]
mod softmax_answer;
#[path = "../../checks/softmax.rs"]
mod softmax_check;

#[test]
fn softmax() -> Result<(), Told> {
    use softmax_answer as answer;
    use softmax_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "softmax",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Softmax",
    };
    EXERCISE.test(|| check(answer::Running::new, answer::Running::push, answer::Running::mean))
}
