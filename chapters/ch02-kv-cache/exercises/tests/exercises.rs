//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/append_row.rs"]
mod append_row;

#[test]
fn append_row() -> Result<(), Box<Report>> {
    use append_row::check;
    use ch02_exercises::append_row as answer;
    static EXERCISE: Exercise = Exercise {
        name: "append_row",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/cache.html",
        section: "Appending a row",
    };
    EXERCISE.run(|| check(answer::append_row))
}

#[path = "../checks/fixed_cache.rs"]
mod fixed_cache;

#[test]
fn fixed_cache() -> Result<(), Box<Report>> {
    use ch02_exercises::fixed_cache as answer;
    use fixed_cache::check;
    static EXERCISE: Exercise = Exercise {
        name: "fixed_cache",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/contiguous.html",
        section: "Room for the whole answer",
    };
    EXERCISE.run(|| {
        check(answer::FixedCache::new, answer::FixedCache::install, answer::FixedCache::rows)
    })
}

#[path = "../checks/parity_test.rs"]
mod parity_test;

#[test]
fn parity_test() -> Result<(), Box<Report>> {
    use ch02_exercises::parity_test as answer;
    use parity_test::check;
    static EXERCISE: Exercise = Exercise {
        name: "parity_test",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/compare.html",
        section: "A test that can fail",
    };
    EXERCISE.run(|| check(answer::parity_test))
}

#[path = "../checks/attend_chunk.rs"]
mod attend_chunk;

#[test]
fn attend_chunk() -> Result<(), Box<Report>> {
    use attend_chunk::check;
    use ch02_exercises::attend_chunk as answer;
    static EXERCISE: Exercise = Exercise {
        name: "attend_chunk",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/model.html",
        section: "Queries and keys of different lengths",
    };
    EXERCISE.run(|| check(answer::attend_chunk))
}

#[path = "../checks/attend_one.rs"]
mod attend_one;

#[test]
fn attend_one() -> Result<(), Box<Report>> {
    use attend_one::check;
    use ch02_exercises::attend_one as answer;
    static EXERCISE: Exercise = Exercise {
        name: "attend_one",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/model.html",
        section: "One query needs no mask",
    };
    EXERCISE.run(|| check(answer::attend_one))
}

#[path = "../checks/cache_budget.rs"]
mod cache_budget;

#[test]
fn cache_budget() -> Result<(), Box<Report>> {
    use cache_budget::check;
    use ch02_exercises::cache_budget as answer;
    static EXERCISE: Exercise = Exercise {
        name: "cache_budget",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/result.html",
        section: "What a row costs",
    };
    EXERCISE.run(|| check(answer::positions_that_fit))
}
