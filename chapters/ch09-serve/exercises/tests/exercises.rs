//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/waits.rs"]
mod waits_answer;
#[path = "../checks/waits.rs"]
mod waits_check;

#[test]
fn waits() -> Result<(), Told> {
    use waits_answer as answer;
    use waits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "waits",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/index.html",
        section: "One engine, many clients",
    };
    EXERCISE.test(|| check(answer::one_after_the_other, answer::in_turn))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/chunked.rs"]
mod chunked_answer;
#[path = "../checks/chunked.rs"]
mod chunked_check;

#[test]
fn chunked() -> Result<(), Told> {
    use chunked_answer as answer;
    use chunked_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "chunked",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/by-hand.html",
        section: "By hand",
    };
    EXERCISE.test(|| check(answer::chunked))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/first_of_two.rs"]
mod first_of_two_answer;
#[path = "../checks/first_of_two.rs"]
mod first_of_two_check;

#[test]
fn first_of_two() -> Result<(), Told> {
    use first_of_two_answer as answer;
    use first_of_two_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "first_of_two",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/listen.html",
        section: "A future is a state that is asked again",
    };
    EXERCISE.test(|| check(answer::poll_first))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/events.rs"]
mod events_answer;
#[path = "../checks/events.rs"]
mod events_check;

#[test]
fn events() -> Result<(), Told> {
    use events_answer as answer;
    use events_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "events",
        package: "ch09-exercises",
        folder: "chapters/ch09-serve/exercises",
        page: "ch09/streams.html",
        section: "As it comes",
    };
    EXERCISE.test(|| check(answer::Events::new, answer::Events::push))
}
