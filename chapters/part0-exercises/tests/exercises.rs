//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/tensor_offsets.rs"]
mod tensor_offsets;

#[test]
fn tensor_offsets() -> Result<(), Box<Report>> {
    use part0_exercises::tensor_offsets as answer;
    use tensor_offsets::check;
    static EXERCISE: Exercise = Exercise {
        name: "tensor_offsets",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/file.html",
        section: "Where the numbers are",
    };
    EXERCISE.run(|| check(answer::tensor_offsets))
}

#[path = "../checks/read_integer.rs"]
mod read_integer;

#[test]
fn read_integer() -> Result<(), Box<Report>> {
    use part0_exercises::read_integer as answer;
    use read_integer::check;
    static EXERCISE: Exercise = Exercise {
        name: "read_integer",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/file.html",
        section: "Keys and values",
    };
    EXERCISE.run(|| check(answer::read_integer))
}

#[path = "../checks/pack_q8_0.rs"]
mod pack_q8_0;

#[test]
fn pack_q8_0() -> Result<(), Box<Report>> {
    use pack_q8_0::check;
    use part0_exercises::pack_q8_0 as answer;
    static EXERCISE: Exercise = Exercise {
        name: "pack_q8_0",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/eight-bits.html",
        section: "A block of Q8_0",
    };
    EXERCISE.run(|| check(answer::pack_q8_0))
}

#[path = "../checks/utf8_holder.rs"]
mod utf8_holder;

#[test]
fn utf8_holder() -> Result<(), Box<Report>> {
    use part0_exercises::utf8_holder as answer;
    use utf8_holder::check;
    static EXERCISE: Exercise = Exercise {
        name: "utf8_holder",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/stream.html",
        section: "Half a character",
    };
    EXERCISE.run(|| check(answer::Holder::new, answer::Holder::push, answer::Holder::finish))
}

#[path = "../checks/argmax.rs"]
mod argmax;

#[test]
fn argmax() -> Result<(), Box<Report>> {
    use argmax::check;
    use part0_exercises::argmax as answer;
    static EXERCISE: Exercise = Exercise {
        name: "argmax",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "ground/sampling.html",
        section: "Greedy",
    };
    EXERCISE.run(|| check(answer::argmax_test))
}

#[path = "../checks/candidates.rs"]
mod candidates;

#[test]
fn candidates() -> Result<(), Box<Report>> {
    use candidates::check;
    use part0_exercises::candidates as answer;
    static EXERCISE: Exercise = Exercise {
        name: "candidates",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "ground/sampling.html",
        section: "Top-k and top-p",
    };
    EXERCISE.run(|| check(answer::candidates))
}
