//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/tile_order.rs"]
mod tile_order_answer;
#[path = "../../checks/tile_order.rs"]
mod tile_order_check;

#[test]
fn tile_order() -> Result<(), Told> {
    use tile_order_answer as answer;
    use tile_order_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "tile_order",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/tiles.html",
        section: "Cache blocking",
    };
    EXERCISE.test(|| check(answer::tile_order))
}
