//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/quantize_block.rs"]
mod quantize_block_answer;
#[path = "../checks/quantize_block.rs"]
mod quantize_block_check;

#[test]
fn quantize_block() -> Result<(), Told> {
    use quantize_block_answer as answer;
    use quantize_block_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "quantize_block",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/rounding.html",
        section: "By hand",
    };
    EXERCISE.test(|| check(answer::quantize_block))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/integer_dot.rs"]
mod integer_dot_answer;
#[path = "../checks/integer_dot.rs"]
mod integer_dot_check;

#[test]
fn integer_dot() -> Result<(), Told> {
    use integer_dot_answer as answer;
    use integer_dot_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "integer_dot",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/integers.html",
        section: "The definition",
    };
    EXERCISE.test(|| check(answer::most_places, answer::integer_dot))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/six_bits.rs"]
mod six_bits_answer;
#[path = "../checks/six_bits.rs"]
mod six_bits_check;

#[test]
fn six_bits() -> Result<(), Told> {
    use six_bits_answer as answer;
    use six_bits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "six_bits",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/six-bits.html",
        section: "Two places for six bits",
    };
    EXERCISE.test(|| check(answer::six_bits))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/one_scale_too_far.rs"]
mod one_scale_too_far_answer;
#[path = "../checks/one_scale_too_far.rs"]
mod one_scale_too_far_check;

#[test]
fn one_scale_too_far() -> Result<(), Told> {
    use one_scale_too_far_answer as answer;
    use one_scale_too_far_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "one_scale_too_far",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/ahead.html",
        section: "One request for each block",
    };
    EXERCISE.test(|| check(answer::product))
}
