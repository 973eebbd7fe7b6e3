//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/gain.rs"]
mod gain_answer;
#[path = "../../checks/gain.rs"]
mod gain_check;

#[test]
fn gain() -> Result<(), Told> {
    use gain_answer as answer;
    use gain_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "gain",
        package: "ch14-exercises",
        folder: "chapters/ch14-speculation/exercises",
        page: "ch14/pays.html",
        section: "What a pass brings",
    };
    EXERCISE.test(|| check(answer::best_length))
}
