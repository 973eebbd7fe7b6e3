//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/causal_edge.rs"]
mod causal_edge_answer;
#[path = "../../checks/causal_edge.rs"]
mod causal_edge_check;

#[test]
fn causal_edge() -> Result<(), Told> {
    use causal_edge_answer as answer;
    use causal_edge_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "causal_edge",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/in-tiles.html",
        section: "The diagonal",
    };
    EXERCISE.test(|| check(answer::seen, answer::pieces))
}
