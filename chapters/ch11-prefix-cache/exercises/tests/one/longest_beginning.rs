//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/longest_beginning.rs"]
mod longest_beginning_answer;
#[path = "../../checks/longest_beginning.rs"]
mod longest_beginning_check;

#[test]
fn longest_beginning() -> Result<(), Told> {
    use longest_beginning_answer as answer;
    use longest_beginning_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "longest_beginning",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/tree.html",
        section: "A sorted tree",
    };
    EXERCISE.test(|| check(answer::longest))
}
