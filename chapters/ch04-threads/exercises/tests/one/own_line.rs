//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/own_line.rs"]
mod own_line_answer;
#[path = "../../checks/own_line.rs"]
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
