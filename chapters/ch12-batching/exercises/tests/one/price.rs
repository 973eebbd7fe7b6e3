//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/price.rs"]
mod price_answer;
#[path = "../../checks/price.rs"]
mod price_check;

#[test]
fn price() -> Result<(), Told> {
    use price_answer as answer;
    use price_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "price",
        package: "ch12-exercises",
        folder: "chapters/ch12-batching/exercises",
        page: "ch12/batch.html",
        section: "What a row more costs",
    };
    EXERCISE.test(|| check(answer::nanoseconds, answer::fits))
}
