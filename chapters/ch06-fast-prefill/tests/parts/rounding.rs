//! What becomes of x. The tests are those of tests/shared.

use ch06_fast_prefill as engine;
use engine::kernels::Group;

#[path = "../../../../tests/shared/common.rs"]
mod common;
#[path = "../../../../tests/shared/definition.rs"]
#[allow(dead_code)] // it defines products as well
mod definition;
#[path = "../../../../tests/shared/rounding.rs"]
mod rounded_alike;

/// What this chapter's groups hold.
trait Held {
    /// A group that still holds something else, as a buffer pool gives it.
    fn used() -> Self;
    /// What follows from the integers and the scale.
    fn assert_derived(&self, what: &str);
}

impl Held for Group {
    fn used() -> Self {
        Group {
            ints: [[77; 16]; 2],
            scale: 7.0,
            sums: [7; 2],
            starts: [7; 2],
            start: 7,
            minus_sum: 7.0,
        }
    }

    fn assert_derived(&self, what: &str) {
        assert_eq!(self.starts, self.sums.map(|sum| -128 * sum), "{what}");
        assert_eq!(self.start, self.starts[0] + self.starts[1], "{what}");
        let minus_sum = -(self.scale * (self.sums[0] + self.sums[1]) as f32);
        assert!(self.minus_sum == minus_sum || self.scale.is_nan(), "{what}");
    }
}
