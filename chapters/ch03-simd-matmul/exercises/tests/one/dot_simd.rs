//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../../src/dot_simd.rs"]
mod dot_simd_answer;
#[path = "../../checks/dot_simd.rs"]
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
