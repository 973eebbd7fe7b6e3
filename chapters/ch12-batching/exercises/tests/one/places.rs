//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/places.rs"]
mod places_answer;
#[path = "../../checks/places.rs"]
mod places_check;

#[test]
fn places() -> Result<(), Told> {
    use places_answer as answer;
    use places_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "places",
        package: "ch12-exercises",
        folder: "chapters/ch12-batching/exercises",
        page: "ch12/rows.html",
        section: "A row, and whose it is",
    };
    EXERCISE.test(|| check(answer::positions, answer::wanted))
}
