//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/utf8_holder.rs"]
mod utf8_holder_answer;
#[path = "../../checks/utf8_holder.rs"]
mod utf8_holder_check;

#[test]
fn utf8_holder() -> Result<(), Told> {
    use utf8_holder_answer as answer;
    use utf8_holder_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "utf8_holder",
        package: "part0-exercises",
        folder: "chapters/part0-exercises",
        page: "part0/stream.html",
        section: "Half a character",
    };
    EXERCISE.test(|| check(answer::Holder::new, answer::Holder::push, answer::Holder::finish))
}
