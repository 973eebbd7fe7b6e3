//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/two_halves.rs"]
mod two_halves_answer;
#[path = "../../checks/two_halves.rs"]
mod two_halves_check;

#[test]
fn two_halves() -> Result<(), Told> {
    use two_halves_answer as answer;
    use two_halves_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "two_halves",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/shares.html",
        section: "Everyone reads",
    };
    EXERCISE.test(|| check(answer::join))
}
