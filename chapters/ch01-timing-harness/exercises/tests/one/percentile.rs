//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/percentile.rs"]
mod percentile_answer;
#[path = "../../checks/percentile.rs"]
mod percentile_check;

#[test]
fn percentile() -> Result<(), Told> {
    use percentile_answer as answer;
    use percentile_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "percentile",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Percentiles",
    };
    EXERCISE.test(|| check(answer::nearest_rank))
}
