//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/attend_chunk.rs"]
mod attend_chunk_answer;
#[path = "../../checks/attend_chunk.rs"]
mod attend_chunk_check;

#[test]
fn attend_chunk() -> Result<(), Told> {
    use attend_chunk_answer as answer;
    use attend_chunk_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "attend_chunk",
        package: "ch02-exercises",
        folder: "chapters/ch02-kv-cache/exercises",
        page: "ch02/model.html",
        section: "Queries and keys of different lengths",
    };
    EXERCISE.test(|| check(answer::attend_chunk))
}
