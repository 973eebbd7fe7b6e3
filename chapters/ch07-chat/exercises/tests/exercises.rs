//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/common_beginning.rs"]
mod common_beginning_answer;
#[path = "../checks/common_beginning.rs"]
mod common_beginning_check;

#[test]
fn common_beginning() -> Result<(), Told> {
    use common_beginning_answer as answer;
    use common_beginning_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "common_beginning",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/kept.html",
        section: "A cache and its tokens",
    };
    EXERCISE.test(|| check(answer::kept))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/undo_turn.rs"]
mod undo_turn_answer;
#[path = "../checks/undo_turn.rs"]
mod undo_turn_check;

#[test]
fn undo_turn() -> Result<(), Told> {
    use undo_turn_answer as answer;
    use undo_turn_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "undo_turn",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/turns.html",
        section: "Undo for free",
    };
    EXERCISE.test(|| check(answer::undo))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/no_old_thoughts.rs"]
mod no_old_thoughts_answer;
#[path = "../checks/no_old_thoughts.rs"]
mod no_old_thoughts_check;

#[test]
fn no_old_thoughts() -> Result<(), Told> {
    use no_old_thoughts_answer as answer;
    use no_old_thoughts_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "no_old_thoughts",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/seam.html",
        section: "Thinking on",
    };
    EXERCISE.test(|| check(answer::history))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/edit_in_the_middle.rs"]
mod edit_in_the_middle_answer;
#[path = "../checks/edit_in_the_middle.rs"]
mod edit_in_the_middle_check;

#[test]
fn edit_in_the_middle() -> Result<(), Told> {
    use edit_in_the_middle_answer as answer;
    use edit_in_the_middle_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "edit_in_the_middle",
        package: "ch07-exercises",
        folder: "chapters/ch07-chat/exercises",
        page: "ch07/kept.html",
        section: "What an early end leaves",
    };
    EXERCISE.test(|| check(answer::edit))
}
