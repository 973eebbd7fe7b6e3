//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/starving.rs"]
mod starving_answer;
#[path = "../../checks/starving.rs"]
mod starving_check;

#[test]
fn starving() -> Result<(), Told> {
    use starving_answer as answer;
    use starving_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "starving",
        package: "ch13-exercises",
        folder: "chapters/ch13-scheduling/exercises",
        page: "ch13/rule.html",
        section: "Who waits",
    };
    EXERCISE.test(|| check(answer::longest_wait))
}
