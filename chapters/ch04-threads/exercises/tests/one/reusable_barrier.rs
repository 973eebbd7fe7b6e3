//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/reusable_barrier.rs"]
mod reusable_barrier_answer;
#[path = "../../checks/reusable_barrier.rs"]
mod reusable_barrier_check;

#[test]
fn reusable_barrier() -> Result<(), Told> {
    use reusable_barrier_answer as answer;
    use reusable_barrier_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "reusable_barrier",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/pool.html",
        section: "Fork-join",
    };
    EXERCISE.test(|| check(answer::Barrier::new, answer::Barrier::wait))
}
