//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/rms_norm.rs"]
mod rms_norm;

#[test]
fn rms_norm() -> Result<(), Box<Report>> {
    use ch00_exercises::rms_norm as answer;
    use rms_norm::check;
    static EXERCISE: Exercise = Exercise {
        name: "rms_norm",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/product.html",
        section: "RMSNorm",
    };
    EXERCISE.run(|| check(answer::rms_norm_heads))
}

#[path = "../checks/swiglu.rs"]
mod swiglu;

#[test]
fn swiglu() -> Result<(), Box<Report>> {
    use ch00_exercises::swiglu as answer;
    use swiglu::check;
    static EXERCISE: Exercise = Exercise {
        name: "swiglu",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/layer.html",
        section: "The MLP",
    };
    EXERCISE.run(|| check(answer::gate_test))
}

#[path = "../checks/kv_head.rs"]
mod kv_head;

#[test]
fn kv_head() -> Result<(), Box<Report>> {
    use ch00_exercises::kv_head as answer;
    use kv_head::check;
    static EXERCISE: Exercise = Exercise {
        name: "kv_head",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Heads that share",
    };
    EXERCISE.run(|| check(answer::readers))
}

#[path = "../checks/rope.rs"]
mod rope;

#[test]
fn rope() -> Result<(), Box<Report>> {
    use ch00_exercises::rope as answer;
    use rope::check;
    static EXERCISE: Exercise = Exercise {
        name: "rope",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/positions.html",
        section: "Positions",
    };
    EXERCISE.run(|| check(answer::move_key))
}

#[path = "../checks/softmax.rs"]
mod softmax;

#[test]
fn softmax() -> Result<(), Box<Report>> {
    use ch00_exercises::softmax as answer;
    use softmax::check;
    static EXERCISE: Exercise = Exercise {
        name: "softmax",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Softmax",
    };
    EXERCISE.run(|| check(answer::Running::new, answer::Running::push, answer::Running::mean))
}

#[path = "../checks/causal_attention.rs"]
mod causal_attention;

#[test]
fn causal_attention() -> Result<(), Box<Report>> {
    use causal_attention::check;
    use ch00_exercises::causal_attention as answer;
    static EXERCISE: Exercise = Exercise {
        name: "causal_attention",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Attention, key by key",
    };
    EXERCISE.run(|| check(answer::causal_attention))
}
