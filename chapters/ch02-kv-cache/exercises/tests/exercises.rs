//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/append_row.rs"]
mod append_row_answer;
#[path = "../checks/append_row.rs"]
mod append_row_check;

#[test]
fn append_row() -> Result<(), Told> {
    use append_row_answer as answer;
    use append_row_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "append_row",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/cache.html",
        section: "Appending a row",
    };
    EXERCISE.test(|| check(answer::append_row))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/fixed_cache.rs"]
mod fixed_cache_answer;
#[path = "../checks/fixed_cache.rs"]
mod fixed_cache_check;

#[test]
fn fixed_cache() -> Result<(), Told> {
    use fixed_cache_answer as answer;
    use fixed_cache_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "fixed_cache",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/contiguous.html",
        section: "Room for the whole answer",
    };
    EXERCISE.test(|| {
        check(answer::FixedCache::new, answer::FixedCache::install, answer::FixedCache::rows)
    })
}

#[allow(dead_code, unused_variables)]
#[path = "../src/parity_test.rs"]
mod parity_test_answer;
#[path = "../checks/parity_test.rs"]
mod parity_test_check;

#[test]
fn parity_test() -> Result<(), Told> {
    use parity_test_answer as answer;
    use parity_test_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "parity_test",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/compare.html",
        section: "A test that can fail",
    };
    EXERCISE.test(|| check(answer::parity_test))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/attend_chunk.rs"]
mod attend_chunk_answer;
#[path = "../checks/attend_chunk.rs"]
mod attend_chunk_check;

#[test]
fn attend_chunk() -> Result<(), Told> {
    use attend_chunk_answer as answer;
    use attend_chunk_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "attend_chunk",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/model.html",
        section: "Queries and keys of different lengths",
    };
    EXERCISE.test(|| check(answer::attend_chunk))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/attend_one.rs"]
mod attend_one_answer;
#[path = "../checks/attend_one.rs"]
mod attend_one_check;

#[test]
fn attend_one() -> Result<(), Told> {
    use attend_one_answer as answer;
    use attend_one_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "attend_one",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/model.html",
        section: "One query needs no mask",
    };
    EXERCISE.test(|| check(answer::attend_one))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/cache_budget.rs"]
mod cache_budget_answer;
#[path = "../checks/cache_budget.rs"]
mod cache_budget_check;

#[test]
fn cache_budget() -> Result<(), Told> {
    use cache_budget_answer as answer;
    use cache_budget_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "cache_budget",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/result.html",
        section: "What a row costs",
    };
    EXERCISE.test(|| check(answer::positions_that_fit))
}
