//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/fragments.rs"]
mod fragments_answer;
#[path = "../../checks/fragments.rs"]
mod fragments_check;

#[test]
fn fragments() -> Result<(), Told> {
    use fragments_answer as answer;
    use fragments_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "fragments",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/result.html",
        section: "What a request takes",
    };
    EXERCISE.test(|| check(answer::contiguous, answer::in_blocks))
}
