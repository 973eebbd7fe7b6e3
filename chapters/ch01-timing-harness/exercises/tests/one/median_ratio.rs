//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/median_ratio.rs"]
mod median_ratio_answer;
#[path = "../../checks/median_ratio.rs"]
mod median_ratio_check;

#[test]
fn median_ratio() -> Result<(), Told> {
    use median_ratio_answer as answer;
    use median_ratio_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "median_ratio",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Comparing two settings",
    };
    EXERCISE.test(|| check(answer::median_ratio))
}
