//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/bandwidth_bound.rs"]
mod bandwidth_bound_answer;
#[path = "../../checks/bandwidth_bound.rs"]
mod bandwidth_bound_check;

#[test]
fn bandwidth_bound() -> Result<(), Told> {
    use bandwidth_bound_answer as answer;
    use bandwidth_bound_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "bandwidth_bound",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/roofline.html",
        section: "The bound",
    };
    EXERCISE.test(|| check(answer::batch_bound))
}
