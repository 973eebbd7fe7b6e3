//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Told};

#[allow(dead_code, unused_variables)]
#[path = "../src/decode_rate.rs"]
mod decode_rate_answer;
#[path = "../checks/decode_rate.rs"]
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

#[allow(dead_code, unused_variables)]
#[path = "../src/percentile.rs"]
mod percentile_answer;
#[path = "../checks/percentile.rs"]
mod percentile_check;

#[test]
fn percentile() -> Result<(), Told> {
    use percentile_answer as answer;
    use percentile_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "percentile",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Percentiles",
    };
    EXERCISE.test(|| check(answer::nearest_rank))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/median_ratio.rs"]
mod median_ratio_answer;
#[path = "../checks/median_ratio.rs"]
mod median_ratio_check;

#[test]
fn median_ratio() -> Result<(), Told> {
    use median_ratio_answer as answer;
    use median_ratio_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "median_ratio",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Comparing two settings",
    };
    EXERCISE.test(|| check(answer::median_ratio))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/bytes_per_token.rs"]
mod bytes_per_token_answer;
#[path = "../checks/bytes_per_token.rs"]
mod bytes_per_token_check;

#[test]
fn bytes_per_token() -> Result<(), Told> {
    use bytes_per_token_answer as answer;
    use bytes_per_token_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "bytes_per_token",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/roofline.html",
        section: "Bytes for one token",
    };
    EXERCISE.test(|| check(answer::bytes_per_token))
}

#[allow(dead_code, unused_variables)]
#[path = "../src/bandwidth_bound.rs"]
mod bandwidth_bound_answer;
#[path = "../checks/bandwidth_bound.rs"]
mod bandwidth_bound_check;

#[test]
fn bandwidth_bound() -> Result<(), Told> {
    use bandwidth_bound_answer as answer;
    use bandwidth_bound_check::check;
    static EXERCISE: Exercise = Exercise {
        name: "bandwidth_bound",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/roofline.html",
        section: "The bound",
    };
    EXERCISE.test(|| check(answer::batch_bound))
}
