//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/split_rows.rs"]
mod split_rows_answer;
#[path = "../checks/split_rows.rs"]
mod split_rows_check;

#[test]
fn split_rows() -> Result<(), Told> {
    use split_rows_answer as answer;
    use split_rows_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "split_rows",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/shares.html",
        section: "Pieces, and who gets them",
    };
    EXERCISE.test(|| check(answer::split_rows))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/reusable_barrier.rs"]
mod reusable_barrier_answer;
#[path = "../checks/reusable_barrier.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/shared_sum.rs"]
mod shared_sum_answer;
#[path = "../checks/shared_sum.rs"]
mod shared_sum_check;

#[test]
fn shared_sum() -> Result<(), Told> {
    use shared_sum_answer as answer;
    use shared_sum_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "shared_sum",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/index.html",
        section: "What must not change",
    };
    EXERCISE.test(|| check(answer::shared_sum))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/own_line.rs"]
mod own_line_answer;
#[path = "../checks/own_line.rs"]
mod own_line_check;

#[test]
fn own_line() -> Result<(), Told> {
    use own_line_answer as answer;
    use own_line_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "own_line",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/heads.html",
        section: "False sharing: two threads on one line",
    };
    EXERCISE.test(|| {
        check(
            answer::Counters::new,
            answer::Counters::add,
            answer::Counters::counter,
            answer::Counters::total,
        )
    })
}

#[allow(dead_code, unused_variables)]
#[path = "../src/last_piece.rs"]
mod last_piece_answer;
#[path = "../checks/last_piece.rs"]
mod last_piece_check;

#[test]
fn last_piece() -> Result<(), Told> {
    use last_piece_answer as answer;
    use last_piece_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "last_piece",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/heads.html",
        section: "Cutting attention",
    };
    EXERCISE.test(|| check(answer::last_piece))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/closing_door.rs"]
mod closing_door_answer;
#[path = "../checks/closing_door.rs"]
mod closing_door_check;

#[test]
fn closing_door() -> Result<(), Told> {
    use closing_door_answer as answer;
    use closing_door_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "closing_door",
        package: "ch04-exercises",
        folder: "chapters/ch04-threads/exercises",
        page: "ch04/sleep.html",
        section: "Condition variables: stop looking",
    };
    EXERCISE.test(|| {
        check(answer::Door::new, answer::Door::enter, answer::Door::leave, answer::Door::close)
    })
}
