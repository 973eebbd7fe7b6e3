//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/grams.rs"]
mod grams_answer;
#[path = "../../checks/grams.rs"]
mod grams_check;

#[test]
fn grams() -> Result<(), Told> {
    use grams_answer as answer;
    use grams_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "grams",
        package: "ch14-exercises",
        folder: "chapters/ch14-speculation/exercises",
        page: "ch14/guess.html",
        section: "Where it went on",
    };
    EXERCISE.test(|| check(answer::places))
}
