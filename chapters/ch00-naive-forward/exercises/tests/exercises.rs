//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/rms_norm.rs"]
mod rms_norm_answer;
#[path = "../checks/rms_norm.rs"]
mod rms_norm_check;

#[test]
fn rms_norm() -> Result<(), Told> {
    use rms_norm_answer as answer;
    use rms_norm_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "rms_norm",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/product.html",
        section: "RMSNorm",
    };
    EXERCISE.test(|| check(answer::rms_norm_heads))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/swiglu.rs"]
mod swiglu_answer;
#[path = "../checks/swiglu.rs"]
mod swiglu_check;

#[test]
fn swiglu() -> Result<(), Told> {
    use swiglu_answer as answer;
    use swiglu_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "swiglu",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/layer.html",
        section: "The MLP",
    };
    EXERCISE.test(|| check(answer::gate_test))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/kv_head.rs"]
mod kv_head_answer;
#[path = "../checks/kv_head.rs"]
mod kv_head_check;

#[test]
fn kv_head() -> Result<(), Told> {
    use kv_head_answer as answer;
    use kv_head_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "kv_head",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Heads that share",
    };
    EXERCISE.test(|| check(answer::readers))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/rope.rs"]
mod rope_answer;
#[path = "../checks/rope.rs"]
mod rope_check;

#[test]
fn rope() -> Result<(), Told> {
    use rope_answer as answer;
    use rope_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "rope",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/positions.html",
        section: "Positions",
    };
    EXERCISE.test(|| check(answer::move_key))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/softmax.rs"]
mod softmax_answer;
#[path = "../checks/softmax.rs"]
mod softmax_check;

#[test]
fn softmax() -> Result<(), Told> {
    use softmax_answer as answer;
    use softmax_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "softmax",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Softmax",
    };
    EXERCISE.test(|| check(answer::Running::new, answer::Running::push, answer::Running::mean))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/causal_attention.rs"]
mod causal_attention_answer;
#[path = "../checks/causal_attention.rs"]
mod causal_attention_check;

#[test]
fn causal_attention() -> Result<(), Told> {
    use causal_attention_answer as answer;
    use causal_attention_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "causal_attention",
        package: "ch00-exercises",
        folder: "chapters/ch00-naive-forward/exercises",
        page: "ch00/attention.html",
        section: "Attention, key by key",
    };
    EXERCISE.test(|| check(answer::causal_attention))
}
