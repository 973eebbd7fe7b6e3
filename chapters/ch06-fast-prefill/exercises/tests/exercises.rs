//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/packing.rs"]
mod packing_answer;
#[path = "../checks/packing.rs"]
mod packing_check;

#[test]
fn packing() -> Result<(), Told> {
    use packing_answer as answer;
    use packing_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "packing",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/unpacked.html",
        section: "What is computed once for x",
    };
    EXERCISE.test(|| check(answer::pack, answer::start, answer::add_column))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/online_softmax.rs"]
mod online_softmax_answer;
#[path = "../checks/online_softmax.rs"]
mod online_softmax_check;

#[test]
fn online_softmax() -> Result<(), Told> {
    use online_softmax_answer as answer;
    use online_softmax_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "online_softmax",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/pieces.html",
        section: "One step",
    };
    EXERCISE.test(|| check(answer::next_piece, answer::result))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/causal_edge.rs"]
mod causal_edge_answer;
#[path = "../checks/causal_edge.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/moved_pieces.rs"]
mod moved_pieces_answer;
#[path = "../checks/moved_pieces.rs"]
mod moved_pieces_check;

#[test]
fn moved_pieces() -> Result<(), Told> {
    use moved_pieces_answer as answer;
    use moved_pieces_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "moved_pieces",
        package: "ch06-exercises",
        folder: "chapters/ch06-fast-prefill/exercises",
        page: "ch06/pieces.html",
        section: "Where the pieces begin",
    };
    EXERCISE.test(|| check(answer::attend))
}
