//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/nearest_even.rs"]
mod nearest_even_answer;
#[path = "../../checks/nearest_even.rs"]
mod nearest_even_check;

#[test]
fn nearest_even() -> Result<(), Told> {
    use nearest_even_answer as answer;
    use nearest_even_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "nearest_even",
        package: "ch08-exercises",
        folder: "chapters/ch08-f16-cache/exercises",
        page: "ch08/sixteen-bits.html",
        section: "Sixteen bits",
    };
    EXERCISE.test(|| check(answer::nearest_even))
}
