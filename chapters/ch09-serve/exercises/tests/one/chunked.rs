//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/chunked.rs"]
mod chunked_answer;
#[path = "../../checks/chunked.rs"]
mod chunked_check;

#[test]
fn chunked() -> Result<(), Told> {
    use chunked_answer as answer;
    use chunked_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "chunked",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/by-hand.html",
        section: "By hand",
    };
    EXERCISE.test(|| check(answer::chunked))
}
