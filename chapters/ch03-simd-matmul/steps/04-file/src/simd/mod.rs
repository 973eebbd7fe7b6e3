//! What a CPU can do with sixteen numbers at once: all that differs between instruction sets, and all
//! that is unsafe.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

use half::{bf16, f16};

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use scalar::Scalar;

/// An instruction set. A value of such a type proves that the CPU has it.
pub trait Simd: Copy {
    /// Sixteen f32 in registers.
    type Lanes: Copy;

    fn load(self, numbers: &[f32; 16]) -> Self::Lanes;
    fn load_f16(self, numbers: &[f16; 16]) -> Self::Lanes;
    #[inline(always)]
    fn load_bf16(self, numbers: &[bf16; 16]) -> Self::Lanes {
        // The upper half of an f32: the compiler finds the instructions by itself.
        self.load(&numbers.map(|number| f32::from_bits(u32::from(number.to_bits()) << 16)))
    }
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
