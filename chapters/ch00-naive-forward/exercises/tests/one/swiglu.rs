//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/swiglu.rs"]
mod swiglu_answer;
#[path = "../../checks/swiglu.rs"]
mod swiglu_check;

#[test]
fn swiglu() -> Result<(), Told> {
    use swiglu_answer as answer;
    use swiglu_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "swiglu",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/layer.html",
        section: "The MLP",
    };
    EXERCISE.test(|| check(answer::gate_test))
}
