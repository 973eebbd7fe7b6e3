//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/sum_tree.rs"]
mod sum_tree_answer;
#[path = "../../checks/sum_tree.rs"]
mod sum_tree_check;

#[test]
fn sum_tree() -> Result<(), Told> {
    use sum_tree_answer as answer;
    use sum_tree_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "sum_tree",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/lanes.html",
        section: "The tree of sums",
    };
    EXERCISE.test(|| check(answer::sum_tree))
}
