use std::arch::x86_64::*;

use super::avx2::sum_of_eight;
use super::{Kernel, Simd};

/// AVX-512: registers of sixteen f32, thirty-two of them.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    pub fn detect() -> Option<Avx512> {
        let present =
            is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
        present.then_some(Avx512(()))
    }
}

impl Simd for Avx512 {
    type Lanes = __m512;

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it; the load takes just the sixteen numbers.
        unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, sum: __m512) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_fmadd_ps(a, b, sum) }
    }

    #[inline(always)]
    fn sum(self, lanes: __m512) -> f32 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            let swapped = _mm512_shuffle_f32x4::<0b01_00_11_10>(lanes, lanes);
            sum_of_eight(_mm512_castps512_ps256(_mm512_add_ps(lanes, swapped)))
        }
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        // Without VL the compiler may use only half of the registers.
        #[target_feature(enable = "avx512f,avx512vl")]
        fn with_avx512(simd: Avx512, kernel: impl Kernel) {
            kernel.run(simd);
        }
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { with_avx512(self, kernel) }
    }
}
