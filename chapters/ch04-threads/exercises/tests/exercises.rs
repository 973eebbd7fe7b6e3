//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/split_rows.rs"]
mod split_rows;

#[test]
fn split_rows() -> Result<(), Box<Report>> {
    use ch04_exercises::split_rows as answer;
    use split_rows::check;
    static EXERCISE: Exercise = Exercise {
        name: "split_rows",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/shares.html",
        section: "Cut it into pieces",
    };
    EXERCISE.run(|| check(answer::split_rows))
}

#[path = "../checks/reusable_barrier.rs"]
mod reusable_barrier;

#[test]
fn reusable_barrier() -> Result<(), Box<Report>> {
    use ch04_exercises::reusable_barrier as answer;
    use reusable_barrier::check;
    static EXERCISE: Exercise = Exercise {
        name: "reusable_barrier",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/pool.html",
        section: "Fork and join",
    };
    EXERCISE.run(|| check(answer::Barrier::new, answer::Barrier::wait))
}

#[path = "../checks/shared_sum.rs"]
mod shared_sum;

#[test]
fn shared_sum() -> Result<(), Box<Report>> {
    use ch04_exercises::shared_sum as answer;
    use shared_sum::check;
    static EXERCISE: Exercise = Exercise {
        name: "shared_sum",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/index.html",
        section: "What must not change",
    };
    EXERCISE.run(|| check(answer::shared_sum))
}

#[path = "../checks/own_line.rs"]
mod own_line;

#[test]
fn own_line() -> Result<(), Box<Report>> {
    use ch04_exercises::own_line as answer;
    use own_line::check;
    static EXERCISE: Exercise = Exercise {
        name: "own_line",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/rows.html",
        section: "Two threads on one line",
    };
    EXERCISE.run(|| {
        check(
            answer::Counters::new,
            answer::Counters::add,
            answer::Counters::counter,
            answer::Counters::total,
        )
    })
}
