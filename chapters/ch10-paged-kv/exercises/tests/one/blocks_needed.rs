//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/blocks_needed.rs"]
mod blocks_needed_answer;
#[path = "../../checks/blocks_needed.rs"]
mod blocks_needed_check;

#[test]
fn blocks_needed() -> Result<(), Told> {
    use blocks_needed_answer as answer;
    use blocks_needed_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "blocks_needed",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/index.html",
        section: "Blocks",
    };
    EXERCISE.test(|| check(answer::alone, answer::together, answer::unused))
}
