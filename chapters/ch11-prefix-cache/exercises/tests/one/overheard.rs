//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/overheard.rs"]
mod overheard_answer;
#[path = "../../checks/overheard.rs"]
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
