//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/causal_attention.rs"]
mod causal_attention_answer;
#[path = "../../checks/causal_attention.rs"]
mod causal_attention_check;

#[test]
fn causal_attention() -> Result<(), Told> {
    use causal_attention_answer as answer;
    use causal_attention_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "causal_attention",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Attention, key by key",
    };
    EXERCISE.test(|| check(answer::causal_attention))
}
