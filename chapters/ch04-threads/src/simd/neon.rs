use std::arch::aarch64::*;

use half::f16;

use super::{Kernel, Simd};

/// NEON: registers of four f32, thirty-two of them. Every 64-bit ARM CPU has it.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    pub fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

impl Simd for Neon {
    type Lanes = float32x4x4_t; // four times four
    const REGISTER_SETS: usize = 8;

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> float32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it; the load takes just the sixteen numbers.
        unsafe { vld1q_f32_x4(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> float32x4x4_t {
        // SAFETY: as for `load`.
        unsafe {
            let uint16x8x2_t(low, high) = vld1q_u16_x2(numbers.as_ptr().cast());
            float32x4x4_t(
                vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(low))),
                vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(low))),
                vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(high))),
                vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(high))),
            )
        }
    }

    #[inline(always)]
    fn store(self, lanes: float32x4x4_t, numbers: &mut [f32; 16]) {
        // SAFETY: as for `load`.
        unsafe { vst1q_f32_x4(numbers.as_mut_ptr(), lanes) }
    }

    #[inline(always)]
    fn mul_add(self, a: float32x4x4_t, b: float32x4x4_t, sum: float32x4x4_t) -> float32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            float32x4x4_t(
                vfmaq_f32(sum.0, a.0, b.0),
                vfmaq_f32(sum.1, a.1, b.1),
                vfmaq_f32(sum.2, a.2, b.2),
                vfmaq_f32(sum.3, a.3, b.3),
            )
        }
    }

    #[inline(always)]
    fn sum(self, lanes: float32x4x4_t) -> f32 {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            let (low, high) = (vaddq_f32(lanes.0, lanes.2), vaddq_f32(lanes.1, lanes.3));
            let four = vaddq_f32(low, high);
            let two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
            vget_lane_f32::<0>(two) + vget_lane_f32::<1>(two)
        }
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        kernel.run(self); // compiled for NEON already, as everything on this kind of CPU
    }
}
