//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/first_of_two.rs"]
mod first_of_two_answer;
#[path = "../../checks/first_of_two.rs"]
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
