//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/cache_budget.rs"]
mod cache_budget_answer;
#[path = "../../checks/cache_budget.rs"]
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
