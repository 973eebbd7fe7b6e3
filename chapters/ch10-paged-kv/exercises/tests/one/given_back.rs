//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/given_back.rs"]
mod given_back_answer;
#[path = "../../checks/given_back.rs"]
mod given_back_check;

#[test]
fn given_back() -> Result<(), Told> {
    use given_back_answer as answer;
    use given_back_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "given_back",
        package: "ch10-exercises",
        folder: "chapters/ch10-paged-kv/exercises",
        page: "ch10/room.html",
        section: "A room",
    };
    EXERCISE.test(|| {
        check(
            answer::Pool::new,
            answer::Pool::take,
            answer::Pool::share,
            answer::Pool::end,
            answer::Pool::free,
        )
    })
}
