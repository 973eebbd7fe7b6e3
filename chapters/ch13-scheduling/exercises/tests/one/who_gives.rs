//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/who_gives.rs"]
mod who_gives_answer;
#[path = "../../checks/who_gives.rs"]
mod who_gives_check;

#[test]
fn who_gives() -> Result<(), Told> {
    use who_gives_answer as answer;
    use who_gives_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "who_gives",
        package: "ch13-exercises",
        folder: "chapters/ch13-scheduling/exercises",
        page: "ch13/room.html",
        section: "Who gives",
    };
    EXERCISE.test(|| check(answer::who_gives))
}
