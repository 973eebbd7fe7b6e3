//! The chapter's trait and its definition in plain Rust, and one instruction set more.
#![allow(unsafe_code)]

#[path = "../../../../../chapters/ch03-simd-matmul/src/simd/mod.rs"]
mod chapter;
#[cfg(target_arch = "wasm32")]
mod simd128;

pub use chapter::*;
#[cfg(target_arch = "wasm32")]
pub use simd128::Simd128;
