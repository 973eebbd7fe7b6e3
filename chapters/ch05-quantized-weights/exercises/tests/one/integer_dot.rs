//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/integer_dot.rs"]
mod integer_dot_answer;
#[path = "../../checks/integer_dot.rs"]
mod integer_dot_check;

#[test]
fn integer_dot() -> Result<(), Told> {
    use integer_dot_answer as answer;
    use integer_dot_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "integer_dot",
        package: "ch05-exercises",
        folder: "chapters/ch05-quantized-weights/exercises",
        page: "ch05/integers.html",
        section: "The definition",
    };
    EXERCISE.test(|| check(answer::most_places, answer::integer_dot))
}
