//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/places.rs"]
mod places_answer;
#[path = "../checks/places.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/who_sees.rs"]
mod who_sees_answer;
#[path = "../checks/who_sees.rs"]
mod who_sees_check;

#[test]
fn who_sees() -> Result<(), Told> {
    use who_sees_answer as answer;
    use who_sees_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "who_sees",
        package: "ch12-exercises",
        folder: "chapters/ch12-batching/exercises",
        page: "ch12/attend.html",
        section: "Each its own",
    };
    EXERCISE.test(|| check(answer::mask))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/price.rs"]
mod price_answer;
#[path = "../checks/price.rs"]
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
