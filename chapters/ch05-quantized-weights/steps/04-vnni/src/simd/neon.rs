use std::arch::aarch64::*;
use std::arch::{asm, is_aarch64_feature_detected};

use half::f16;

use super::{Kernel, Simd};

/// NEON: registers of four f32, thirty-two of them. Every 64-bit ARM CPU has it, and most also have
/// the instruction that multiplies bytes and adds up four products.
#[derive(Clone, Copy, Debug)]
pub struct Neon<const DOT: bool>(());

impl<const DOT: bool> Neon<DOT> {
    pub fn detect() -> Option<Neon<DOT>> {
        let present = is_aarch64_feature_detected!("neon")
            && (!DOT || is_aarch64_feature_detected!("dotprod"));
        present.then_some(Neon(()))
    }
}

impl<const DOT: bool> Simd for Neon<DOT> {
    type Lanes = float32x4x4_t; // four times four
    type Rows = [int8x16_t; 16];
    type Fours = [int32x4_t; 16];
    type Ints = int32x4x4_t; // as the lanes
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
    fn multiply(self, a: float32x4x4_t, b: float32x4x4_t) -> float32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            float32x4x4_t(
                vmulq_f32(a.0, b.0),
                vmulq_f32(a.1, b.1),
                vmulq_f32(a.2, b.2),
                vmulq_f32(a.3, b.3),
            )
        }
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
    fn load_rows(self, bytes: [&[u8; 16]; 16]) -> [int8x16_t; 16] {
        // SAFETY: a `Neon` exists, so the CPU has it; each load takes just the sixteen bytes.
        unsafe {
            let mut rows = [vdupq_n_s8(0); 16];
            for (row, bytes) in rows.iter_mut().zip(bytes) {
                *row = vld1q_s8(bytes.as_ptr().cast());
            }
            rows
        }
    }

    #[inline(always)]
    fn no_fours(self) -> [int32x4_t; 16] {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe { [vdupq_n_s32(0); 16] }
    }

    #[inline(always)]
    fn dot(
        self,
        rows: [int8x16_t; 16],
        x: &[u8; 16],
        mut fours: [int32x4_t; 16],
    ) -> [int32x4_t; 16] {
        // SAFETY: a `Neon<true>` exists only where the CPU has both; the load takes just the sixteen
        // bytes, and the instruction reads and writes registers only.
        unsafe {
            let x = vld1q_s8(x.as_ptr().cast());
            for (sums, row) in fours.iter_mut().zip(rows) {
                if DOT {
                    asm!(
                        ".arch_extension dotprod",
                        "sdot {sums:v}.4s, {row:v}.16b, {x:v}.16b",
                        sums = inout(vreg) *sums,
                        row = in(vreg) row,
                        x = in(vreg) x,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                } else {
                    // Here a four is made of places i, i + 1, i + 8 and i + 9: the total is the same.
                    // Two products of -128 and 127 fit into sixteen bits.
                    let products = vmull_s8(vget_low_s8(row), vget_low_s8(x));
                    let products = vmlal_s8(products, vget_high_s8(row), vget_high_s8(x));
                    *sums = vpadalq_s16(*sums, products);
                }
            }
            fours
        }
    }

    #[inline(always)]
    fn total(self, fours: [int32x4_t; 16]) -> int32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            let mut totals = [vdupq_n_s32(0); 4];
            for (total, rows) in totals.iter_mut().zip(fours.as_chunks::<4>().0) {
                let (ab, cd) = (vpaddq_s32(rows[0], rows[1]), vpaddq_s32(rows[2], rows[3]));
                *total = vpaddq_s32(ab, cd);
            }
            int32x4x4_t(totals[0], totals[1], totals[2], totals[3])
        }
    }

    #[inline(always)]
    fn to_f32(self, ints: int32x4x4_t) -> float32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            float32x4x4_t(
                vcvtq_f32_s32(ints.0),
                vcvtq_f32_s32(ints.1),
                vcvtq_f32_s32(ints.2),
                vcvtq_f32_s32(ints.3),
            )
        }
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        kernel.run(self); // compiled for NEON already, as everything on this kind of CPU
    }
}
