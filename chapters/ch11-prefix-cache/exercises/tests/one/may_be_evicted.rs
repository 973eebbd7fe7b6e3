//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/may_be_evicted.rs"]
mod may_be_evicted_answer;
#[path = "../../checks/may_be_evicted.rs"]
mod may_be_evicted_check;

#[test]
fn may_be_evicted() -> Result<(), Told> {
    use may_be_evicted_answer as answer;
    use may_be_evicted_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "may_be_evicted",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/tree.html",
        section: "What goes",
    };
    EXERCISE.test(|| check(answer::evicted))
}
