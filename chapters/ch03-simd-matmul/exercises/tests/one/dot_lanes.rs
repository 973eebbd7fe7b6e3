//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/dot_lanes.rs"]
mod dot_lanes_answer;
#[path = "../../checks/dot_lanes.rs"]
mod dot_lanes_check;

#[test]
fn dot_lanes() -> Result<(), Told> {
    use dot_lanes_answer as answer;
    use dot_lanes_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "dot_lanes",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/lanes.html",
        section: "The tree of sums",
    };
    EXERCISE.test(|| check(answer::dot))
}
