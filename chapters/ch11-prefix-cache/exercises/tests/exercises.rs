//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/longest_beginning.rs"]
mod longest_beginning_answer;
#[path = "../checks/longest_beginning.rs"]
mod longest_beginning_check;

#[test]
fn longest_beginning() -> Result<(), Told> {
    use longest_beginning_answer as answer;
    use longest_beginning_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "longest_beginning",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/tree.html",
        section: "A sorted tree",
    };
    EXERCISE.test(|| check(answer::longest))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/may_be_evicted.rs"]
mod may_be_evicted_answer;
#[path = "../checks/may_be_evicted.rs"]
mod may_be_evicted_check;

#[test]
fn may_be_evicted() -> Result<(), Told> {
    use may_be_evicted_answer as answer;
    use may_be_evicted_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "may_be_evicted",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/tree.html",
        section: "What goes",
    };
    EXERCISE.test(|| check(answer::evicted))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/collision.rs"]
mod collision_answer;
#[path = "../checks/collision.rs"]
mod collision_check;

#[test]
fn collision() -> Result<(), Told> {
    use collision_answer as answer;
    use collision_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "collision",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/index.html",
        section: "Not a hash",
    };
    EXERCISE.test(|| check(answer::another, answer::served))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/overheard.rs"]
mod overheard_answer;
#[path = "../checks/overheard.rs"]
mod overheard_check;

#[test]
fn overheard() -> Result<(), Told> {
    use overheard_answer as answer;
    use overheard_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "overheard",
        package: "ch11-exercises",
        folder: "chapters/ch11-prefix-cache/exercises",
        page: "ch11/owners.html",
        section: "Whose it is",
    };
    EXERCISE.test(|| check(answer::overhear, answer::most_questions))
}
