//! Sixteen numbers at once, and all that is unsafe.
#![allow(unsafe_code)]

mod scalar;

pub use scalar::dot;
