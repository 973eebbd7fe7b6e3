//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/starving.rs"]
mod starving_answer;
#[path = "../checks/starving.rs"]
mod starving_check;

#[test]
fn starving() -> Result<(), Told> {
    use starving_answer as answer;
    use starving_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "starving",
        package: "ch13-exercises",
        folder: "chapters/ch13-scheduling/exercises",
        page: "ch13/rule.html",
        section: "Who waits",
    };
    EXERCISE.test(|| check(answer::longest_wait))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/who_gives.rs"]
mod who_gives_answer;
#[path = "../checks/who_gives.rs"]
mod who_gives_check;

#[test]
fn who_gives() -> Result<(), Told> {
    use who_gives_answer as answer;
    use who_gives_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "who_gives",
        package: "ch13-exercises",
        folder: "chapters/ch13-scheduling/exercises",
        page: "ch13/room.html",
        section: "Who gives",
    };
    EXERCISE.test(|| check(answer::who_gives))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/drawn_twice.rs"]
mod drawn_twice_answer;
#[path = "../checks/drawn_twice.rs"]
mod drawn_twice_check;

#[test]
fn drawn_twice() -> Result<(), Told> {
    use drawn_twice_answer as answer;
    use drawn_twice_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "drawn_twice",
        package: "ch13-exercises",
        folder: "chapters/ch13-scheduling/exercises",
        page: "ch13/room.html",
        section: "Why it always ends",
    };
    EXERCISE.test(|| check(answer::draws))
}
