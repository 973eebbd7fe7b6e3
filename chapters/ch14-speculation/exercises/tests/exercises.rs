//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/grams.rs"]
mod grams_answer;
#[path = "../checks/grams.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/kept.rs"]
mod kept_answer;
#[path = "../checks/kept.rs"]
mod kept_check;

#[test]
fn kept() -> Result<(), Told> {
    use kept_answer as answer;
    use kept_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "kept",
        package: "ch14-exercises",
        folder: "chapters/ch14-speculation/exercises",
        page: "ch14/check.html",
        section: "What stays",
    };
    EXERCISE.test(|| check(answer::kept))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/gain.rs"]
mod gain_answer;
#[path = "../checks/gain.rs"]
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
