//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/decode_rate.rs"]
mod decode_rate_answer;
#[path = "../../checks/decode_rate.rs"]
mod decode_rate_check;

#[test]
fn decode_rate() -> Result<(), Told> {
    use decode_rate_answer as answer;
    use decode_rate_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "decode_rate",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Two phases, two speeds",
    };
    EXERCISE.test(|| check(answer::decode_rate))
}
