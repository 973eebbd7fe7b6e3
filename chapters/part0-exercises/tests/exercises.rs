//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/tensor_offsets.rs"]
mod tensor_offsets_answer;
#[path = "../checks/tensor_offsets.rs"]
mod tensor_offsets_check;

#[test]
fn tensor_offsets() -> Result<(), Told> {
    use tensor_offsets_answer as answer;
    use tensor_offsets_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "tensor_offsets",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/file.html",
        section: "Where the numbers are",
    };
    EXERCISE.test(|| check(answer::tensor_offsets))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/read_integer.rs"]
mod read_integer_answer;
#[path = "../checks/read_integer.rs"]
mod read_integer_check;

#[test]
fn read_integer() -> Result<(), Told> {
    use read_integer_answer as answer;
    use read_integer_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "read_integer",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/file.html",
        section: "Keys and values",
    };
    EXERCISE.test(|| check(answer::read_integer))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/pack_q8_0.rs"]
mod pack_q8_0_answer;
#[path = "../checks/pack_q8_0.rs"]
mod pack_q8_0_check;

#[test]
fn pack_q8_0() -> Result<(), Told> {
    use pack_q8_0_answer as answer;
    use pack_q8_0_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "pack_q8_0",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/eight-bits.html",
        section: "A block of Q8_0",
    };
    EXERCISE.test(|| check(answer::pack_q8_0))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/utf8_holder.rs"]
mod utf8_holder_answer;
#[path = "../checks/utf8_holder.rs"]
mod utf8_holder_check;

#[test]
fn utf8_holder() -> Result<(), Told> {
    use utf8_holder_answer as answer;
    use utf8_holder_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "utf8_holder",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/stream.html",
        section: "Half a character",
    };
    EXERCISE.test(|| check(answer::Holder::new, answer::Holder::push, answer::Holder::finish))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/argmax.rs"]
mod argmax_answer;
#[path = "../checks/argmax.rs"]
mod argmax_check;

#[test]
fn argmax() -> Result<(), Told> {
    use argmax_answer as answer;
    use argmax_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "argmax",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "ground/sampling.html",
        section: "Greedy",
    };
    EXERCISE.test(|| check(answer::argmax_test))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/candidates.rs"]
mod candidates_answer;
#[path = "../checks/candidates.rs"]
mod candidates_check;

#[test]
fn candidates() -> Result<(), Told> {
    use candidates_answer as answer;
    use candidates_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "candidates",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "ground/sampling.html",
        section: "Top-k and top-p",
    };
    EXERCISE.test(|| check(answer::candidates))
}
