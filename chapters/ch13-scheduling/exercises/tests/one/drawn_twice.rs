//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/drawn_twice.rs"]
mod drawn_twice_answer;
#[path = "../../checks/drawn_twice.rs"]
mod drawn_twice_check;

#[test]
fn drawn_twice() -> Result<(), Told> {
    use drawn_twice_answer as answer;
    use drawn_twice_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "drawn_twice",
        package: "ch13-exercises",
        folder: "chapters/ch13-scheduling/exercises",
        page: "ch13/room.html",
        section: "Why it always ends",
    };
    EXERCISE.test(|| check(answer::draws))
}
