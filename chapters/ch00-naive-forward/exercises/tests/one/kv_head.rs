//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/kv_head.rs"]
mod kv_head_answer;
#[path = "../../checks/kv_head.rs"]
mod kv_head_check;

#[test]
fn kv_head() -> Result<(), Told> {
    use kv_head_answer as answer;
    use kv_head_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "kv_head",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Heads that share",
    };
    EXERCISE.test(|| check(answer::readers))
}
