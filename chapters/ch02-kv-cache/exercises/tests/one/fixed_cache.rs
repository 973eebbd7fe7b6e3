//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/fixed_cache.rs"]
mod fixed_cache_answer;
#[path = "../../checks/fixed_cache.rs"]
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
