//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/same_bits.rs"]
mod same_bits;

#[test]
fn same_bits() -> Result<(), Box<Report>> {
    use ch03_exercises::same_bits as answer;
    use same_bits::check;
    static EXERCISE: Exercise = Exercise {
        name: "same_bits",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/same-bits.html",
        section: "What \"the same\" means",
    };
    EXERCISE.run(|| check(answer::first_difference))
}

#[path = "../checks/sum_tree.rs"]
mod sum_tree;

#[test]
fn sum_tree() -> Result<(), Box<Report>> {
    use ch03_exercises::sum_tree as answer;
    use sum_tree::check;
    static EXERCISE: Exercise = Exercise {
        name: "sum_tree",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/lanes.html",
        section: "The tree of sums",
    };
    EXERCISE.run(|| check(answer::sum_tree))
}

#[path = "../checks/dot_lanes.rs"]
mod dot_lanes;

#[test]
fn dot_lanes() -> Result<(), Box<Report>> {
    use ch03_exercises::dot_lanes as answer;
    use dot_lanes::check;
    static EXERCISE: Exercise = Exercise {
        name: "dot_lanes",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/lanes.html",
        section: "The tree of sums",
    };
    EXERCISE.run(|| check(answer::dot))
}

#[path = "../checks/widen_f16.rs"]
mod widen_f16;

#[test]
fn widen_f16() -> Result<(), Box<Report>> {
    use ch03_exercises::widen_f16 as answer;
    use widen_f16::check;
    static EXERCISE: Exercise = Exercise {
        name: "widen_f16",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/file.html",
        section: "Numbers of three types",
    };
    EXERCISE.run(|| check(answer::widen))
}

#[path = "../checks/far_rows.rs"]
mod far_rows;

#[test]
fn far_rows() -> Result<(), Box<Report>> {
    use ch03_exercises::far_rows as answer;
    use far_rows::check;
    static EXERCISE: Exercise = Exercise {
        name: "far_rows",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/far-rows.html",
        section: "The kernel for decode",
    };
    EXERCISE.run(|| check(answer::far_rows))
}

#[path = "../checks/dot_simd.rs"]
mod dot_simd;

#[test]
fn dot_simd() -> Result<(), Box<Report>> {
    use ch03_exercises::dot_simd as answer;
    use dot_simd::check;
    static EXERCISE: Exercise = Exercise {
        name: "dot_simd",
        package: "ch03-exercises",
        folder: "chapters/ch03-simd-matmul/exercises",
        page: "ch03/avx2.html",
        section: "Sixteen lanes in two registers",
    };
    EXERCISE.run(|| check(answer::dot))
}
