use std::arch::x86_64::*;

use half::f16;

use super::{Kernel, Simd};

/// AVX2 with FMA and F16C: registers of eight f32, sixteen of them.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(()); // the unit is private: only `detect` makes one

impl Avx2 {
    pub fn detect() -> Option<Avx2> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        present.then_some(Avx2(()))
    }
}

impl Simd for Avx2 {
    type Lanes = [__m256; 2]; // lanes 0 to 7, lanes 8 to 15
    const REGISTER_SETS: usize = 8;

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it; both loads stay within the sixteen numbers.
        unsafe { [_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers[8..].as_ptr())] }
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> [__m256; 2] {
        // SAFETY: as for `load`.
        unsafe {
            let low = _mm_loadu_si128(numbers.as_ptr().cast());
            let high = _mm_loadu_si128(numbers[8..].as_ptr().cast());
            [_mm256_cvtph_ps(low), _mm256_cvtph_ps(high)]
        }
    }

    #[inline(always)]
    fn store(self, lanes: [__m256; 2], numbers: &mut [f32; 16]) {
        // SAFETY: as for `load`.
        unsafe {
            _mm256_storeu_ps(numbers.as_mut_ptr(), lanes[0]);
            _mm256_storeu_ps(numbers[8..].as_mut_ptr(), lanes[1]);
        }
    }

    #[inline(always)]
    fn mul_add(self, a: [__m256; 2], b: [__m256; 2], sum: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { [_mm256_fmadd_ps(a[0], b[0], sum[0]), _mm256_fmadd_ps(a[1], b[1], sum[1])] }
    }

    #[inline(always)]
    fn sum(self, lanes: [__m256; 2]) -> f32 {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { sum_of_eight(_mm256_add_ps(lanes[0], lanes[1])) }
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn with_avx2(simd: Avx2, kernel: impl Kernel) {
            kernel.run(simd);
        }
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { with_avx2(self, kernel) }
    }
}

/// The rest of the tree, from eight sums on.
#[target_feature(enable = "avx")]
pub(super) fn sum_of_eight(eight: __m256) -> f32 {
    let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}
