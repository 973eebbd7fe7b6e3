//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/blocks_needed.rs"]
mod blocks_needed_answer;
#[path = "../checks/blocks_needed.rs"]
mod blocks_needed_check;

#[test]
fn blocks_needed() -> Result<(), Told> {
    use blocks_needed_answer as answer;
    use blocks_needed_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "blocks_needed",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/index.html",
        section: "Blocks",
    };
    EXERCISE.test(|| check(answer::alone, answer::together, answer::unused))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/given_back.rs"]
mod given_back_answer;
#[path = "../checks/given_back.rs"]
mod given_back_check;

#[test]
fn given_back() -> Result<(), Told> {
    use given_back_answer as answer;
    use given_back_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "given_back",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/room.html",
        section: "A room",
    };
    EXERCISE.test(|| {
        check(
            answer::Pool::new,
            answer::Pool::take,
            answer::Pool::share,
            answer::Pool::end,
            answer::Pool::free,
        )
    })
}

#[allow(dead_code, unused_variables)]
#[path = "../src/copy_on_write.rs"]
mod copy_on_write_answer;
#[path = "../checks/copy_on_write.rs"]
mod copy_on_write_check;

#[test]
fn copy_on_write() -> Result<(), Told> {
    use copy_on_write_answer as answer;
    use copy_on_write_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "copy_on_write",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/fork.html",
        section: "Sharing, and writing",
    };
    EXERCISE.test(|| check(answer::append))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/fragments.rs"]
mod fragments_answer;
#[path = "../checks/fragments.rs"]
mod fragments_check;

#[test]
fn fragments() -> Result<(), Told> {
    use fragments_answer as answer;
    use fragments_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "fragments",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/result.html",
        section: "What a request takes",
    };
    EXERCISE.test(|| check(answer::contiguous, answer::in_blocks))
}
