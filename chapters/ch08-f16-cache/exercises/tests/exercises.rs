//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/bytes_at_depth.rs"]
mod bytes_at_depth_answer;
#[path = "../checks/bytes_at_depth.rs"]
mod bytes_at_depth_check;

#[test]
fn bytes_at_depth() -> Result<(), Told> {
    use bytes_at_depth_answer as answer;
    use bytes_at_depth_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "bytes_at_depth",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/index.html",
        section: "Where a deep step goes",
    };
    EXERCISE.test(|| check(answer::bytes, answer::most_tokens, answer::even_depth))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/two_halves.rs"]
mod two_halves_answer;
#[path = "../checks/two_halves.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/nearest_even.rs"]
mod nearest_even_answer;
#[path = "../checks/nearest_even.rs"]
mod nearest_even_check;

#[test]
fn nearest_even() -> Result<(), Told> {
    use nearest_even_answer as answer;
    use nearest_even_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "nearest_even",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/sixteen-bits.html",
        section: "Sixteen bits",
    };
    EXERCISE.test(|| check(answer::nearest_even))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/eight_bits.rs"]
mod eight_bits_answer;
#[path = "../checks/eight_bits.rs"]
mod eight_bits_check;

#[test]
fn eight_bits() -> Result<(), Told> {
    use eight_bits_answer as answer;
    use eight_bits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "eight_bits",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/error.html",
        section: "What the rounding costs",
    };
    EXERCISE.test(|| check(answer::write, answer::read, answer::most_off))
}
