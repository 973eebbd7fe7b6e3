//! What a CPU can do with sixteen numbers at once: all that differs between instruction sets, and all
//! that is unsafe.
#![allow(unsafe_code)]

mod scalar;

pub use scalar::Scalar;

/// An instruction set. A value of such a type proves that the CPU has it.
pub trait Simd: Copy {
    /// Sixteen f32 in registers.
    type Lanes: Copy;

    fn load(self, numbers: &[f32; 16]) -> Self::Lanes;
    /// a * b + sum in every lane, rounded once.
    fn mul_add(self, a: Self::Lanes, b: Self::Lanes, sum: Self::Lanes) -> Self::Lanes;
    /// Adds up the lanes in a fixed order: j and j + 8, then j and j + 4, j and j + 2, 0 and 1.
    fn sum(self, lanes: Self::Lanes) -> f32;
    /// Runs a kernel in a function that is compiled for these instructions.
    fn run(self, kernel: impl Kernel);
}

/// Work that is written once and compiled for every instruction set.
/// Only what is inlined into `Simd::run` gets its instructions: hence `inline(always)` all the way down.
pub trait Kernel {
    fn run<S: Simd>(self, simd: S);
}
