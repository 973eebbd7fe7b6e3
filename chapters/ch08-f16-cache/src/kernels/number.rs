use half::{bf16, f16};

use crate::simd::Simd;

/// A type that weights are stored in and that a register is filled with in one step.
pub trait Number: Copy + Default + Sync {
    fn load<S: Simd>(simd: S, numbers: &[Self; 16]) -> S::Lanes;
}

impl Number for f32 {
    #[inline(always)]
    fn load<S: Simd>(simd: S, numbers: &[f32; 16]) -> S::Lanes {
        simd.load(numbers)
    }
}

impl Number for f16 {
    #[inline(always)]
    fn load<S: Simd>(simd: S, numbers: &[f16; 16]) -> S::Lanes {
        simd.load_f16(numbers)
    }
}

impl Number for bf16 {
    #[inline(always)]
    fn load<S: Simd>(simd: S, numbers: &[bf16; 16]) -> S::Lanes {
        simd.load_bf16(numbers)
    }
}

/// What is left of a row after its last whole sixteen, filled up with zeros.
#[inline(always)]
pub fn padded<W: Number>(tail: &[W]) -> [W; 16] {
    let mut sixteen = [W::default(); 16];
    sixteen[..tail.len()].copy_from_slice(tail);
    sixteen
}
