//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.

use exercise_kit::{Exercise, Report};

#[path = "../checks/decode_rate.rs"]
mod decode_rate;

#[test]
fn decode_rate() -> Result<(), Box<Report>> {
    use ch01_exercises::decode_rate as answer;
    use decode_rate::check;
    static EXERCISE: Exercise = Exercise {
        name: "decode_rate",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Two phases, two speeds",
    };
    EXERCISE.run(|| check(answer::decode_rate))
}

#[path = "../checks/percentile.rs"]
mod percentile;

#[test]
fn percentile() -> Result<(), Box<Report>> {
    use ch01_exercises::percentile as answer;
    use percentile::check;
    static EXERCISE: Exercise = Exercise {
        name: "percentile",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Percentiles",
    };
    EXERCISE.run(|| check(answer::nearest_rank))
}

#[path = "../checks/median_ratio.rs"]
mod median_ratio;

#[test]
fn median_ratio() -> Result<(), Box<Report>> {
    use ch01_exercises::median_ratio as answer;
    use median_ratio::check;
    static EXERCISE: Exercise = Exercise {
        name: "median_ratio",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/metrics.html",
        section: "Comparing two settings",
    };
    EXERCISE.run(|| check(answer::median_ratio))
}

#[path = "../checks/bytes_per_token.rs"]
mod bytes_per_token;

#[test]
fn bytes_per_token() -> Result<(), Box<Report>> {
    use bytes_per_token::check;
    use ch01_exercises::bytes_per_token as answer;
    static EXERCISE: Exercise = Exercise {
        name: "bytes_per_token",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/roofline.html",
        section: "Bytes for one token",
    };
    EXERCISE.run(|| check(answer::bytes_per_token))
}

#[path = "../checks/bandwidth_bound.rs"]
mod bandwidth_bound;

#[test]
fn bandwidth_bound() -> Result<(), Box<Report>> {
    use bandwidth_bound::check;
    use ch01_exercises::bandwidth_bound as answer;
    static EXERCISE: Exercise = Exercise {
        name: "bandwidth_bound",
        package: "ch01-exercises",
        folder: "chapters/ch01-timing-harness/exercises",
        page: "ch01/roofline.html",
        section: "The bound",
    };
    EXERCISE.run(|| check(answer::batch_bound))
}
