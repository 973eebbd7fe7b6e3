//! What becomes of x. The tests are those of tests/shared.

use ch05_quantized_weights as engine;
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
        Group::default()
    }

    /// Nothing does, yet.
    fn assert_derived(&self, _what: &str) {}
}
