//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/same_bits.rs"]
mod same_bits_answer;
#[path = "../checks/same_bits.rs"]
mod same_bits_check;

#[test]
fn same_bits() -> Result<(), Told> {
    use same_bits_answer as answer;
    use same_bits_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "same_bits",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/same-bits.html",
        section: "What \"the same\" means",
    };
    EXERCISE.test(|| check(answer::first_difference))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/sum_tree.rs"]
mod sum_tree_answer;
#[path = "../checks/sum_tree.rs"]
mod sum_tree_check;

#[test]
fn sum_tree() -> Result<(), Told> {
    use sum_tree_answer as answer;
    use sum_tree_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "sum_tree",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/lanes.html",
        section: "The tree of sums",
    };
    EXERCISE.test(|| check(answer::sum_tree))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/dot_lanes.rs"]
mod dot_lanes_answer;
#[path = "../checks/dot_lanes.rs"]
mod dot_lanes_check;

#[test]
fn dot_lanes() -> Result<(), Told> {
    use dot_lanes_answer as answer;
    use dot_lanes_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "dot_lanes",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/lanes.html",
        section: "The tree of sums",
    };
    EXERCISE.test(|| check(answer::dot))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/widen_f16.rs"]
mod widen_f16_answer;
#[path = "../checks/widen_f16.rs"]
mod widen_f16_check;

#[test]
fn widen_f16() -> Result<(), Told> {
    use widen_f16_answer as answer;
    use widen_f16_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "widen_f16",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/file.html",
        section: "Numbers of three types",
    };
    EXERCISE.test(|| check(answer::widen))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/far_rows.rs"]
mod far_rows_answer;
#[path = "../checks/far_rows.rs"]
mod far_rows_check;

#[test]
fn far_rows() -> Result<(), Told> {
    use far_rows_answer as answer;
    use far_rows_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "far_rows",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/far-rows.html",
        section: "The kernel for decode",
    };
    EXERCISE.test(|| check(answer::far_rows))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/tile_order.rs"]
mod tile_order_answer;
#[path = "../checks/tile_order.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/dot_simd.rs"]
mod dot_simd_answer;
#[path = "../checks/dot_simd.rs"]
mod dot_simd_check;

#[test]
fn dot_simd() -> Result<(), Told> {
    use dot_simd_answer as answer;
    use dot_simd_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "dot_simd",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/avx2.html",
        section: "Sixteen lanes in two registers",
    };
    EXERCISE.test(|| check(answer::dot))
}
