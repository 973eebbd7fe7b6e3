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
    type Column = [int8x16_t; 4];
    const REGISTER_SETS: usize = 8;
    const BIAS: i32 = 0;

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
    fn bits(self, mut rows: [int8x16_t; 16], first: usize, mask: u8) -> [int8x16_t; 16] {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            let (right, mask) = (vdupq_n_s8(-(first as i8)), vdupq_n_u8(mask));
            for row in &mut rows {
                let shifted = vshlq_u8(vreinterpretq_u8_s8(*row), right);
                *row = vreinterpretq_s8_u8(vandq_u8(shifted, mask));
            }
            rows
        }
    }

    #[inline(always)]
    fn join(self, low: [int8x16_t; 16], mut high: [int8x16_t; 16]) -> [int8x16_t; 16] {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            for (high, low) in high.iter_mut().zip(low) {
                *high = vorrq_s8(low, vshlq_n_s8::<4>(*high));
            }
            high
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
    fn to_f32(self, ints: int32x4x4_t, offset: i32) -> float32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            let offset = vdupq_n_s32(offset);
            float32x4x4_t(
                vcvtq_f32_s32(vsubq_s32(ints.0, offset)),
                vcvtq_f32_s32(vsubq_s32(ints.1, offset)),
                vcvtq_f32_s32(vsubq_s32(ints.2, offset)),
                vcvtq_f32_s32(vsubq_s32(ints.3, offset)),
            )
        }
    }

    #[inline(always)]
    fn pack(self, rows: [int8x16_t; 16], less: u8, columns: &mut [[u8; 64]; 4]) {
        // SAFETY: a `Neon` exists, so the CPU has it; each store takes just a quarter of the 64 bytes.
        unsafe {
            let less = vdupq_n_s8(less as i8);
            for (quarter, rows) in rows.as_chunks::<4>().0.iter().enumerate() {
                let [a, b, c, d] = rows.map(|row| vreinterpretq_s32_s8(vsubq_s8(row, less)));
                let (ac, bd) = (vzip1q_s32(a, c), vzip1q_s32(b, d));
                let (ac_high, bd_high) = (vzip2q_s32(a, c), vzip2q_s32(b, d));
                let fours = [
                    vzip1q_s32(ac, bd),
                    vzip2q_s32(ac, bd),
                    vzip1q_s32(ac_high, bd_high),
                    vzip2q_s32(ac_high, bd_high),
                ];
                for (column, four) in columns.iter_mut().zip(fours) {
                    let bytes = vreinterpretq_u8_s32(four);
                    vst1q_u8(column[16 * quarter..].as_mut_ptr(), bytes);
                }
            }
        }
    }

    #[inline(always)]
    fn load_column(self, column: &[u8; 64]) -> [int8x16_t; 4] {
        // SAFETY: a `Neon` exists, so the CPU has it; the load takes just the 64 bytes.
        unsafe {
            let int8x16x4_t(a, b, c, d) = vld1q_s8_x4(column.as_ptr().cast());
            [a, b, c, d]
        }
    }

    #[inline(always)]
    fn as_rows(self, columns: [[int8x16_t; 4]; 4]) -> [int8x16_t; 16] {
        let mut rows = [columns[0][0]; 16];
        for (row, part) in rows.iter_mut().zip(columns.as_flattened()) {
            *row = *part;
        }
        rows
    }

    #[inline(always)]
    fn as_columns(self, rows: [int8x16_t; 16]) -> [[int8x16_t; 4]; 4] {
        let mut columns = [[rows[0]; 4]; 4];
        for (part, row) in columns.as_flattened_mut().iter_mut().zip(rows) {
            *part = row;
        }
        columns
    }

    #[inline(always)]
    fn store_column(self, column: [int8x16_t; 4], less: u8, to: &mut [u8; 64]) {
        for (quarter, to) in column.into_iter().zip(to.as_chunks_mut::<16>().0) {
            // SAFETY: a `Neon` exists, so the CPU has it; the store takes just the sixteen bytes.
            unsafe {
                let bytes = vsubq_s8(quarter, vdupq_n_s8(less as i8));
                vst1q_u8(to.as_mut_ptr(), vreinterpretq_u8_s8(bytes));
            }
        }
    }

    #[inline(always)]
    fn add_column(self, column: [int8x16_t; 4], x: &[u8; 4], ints: int32x4x4_t) -> int32x4x4_t {
        // SAFETY: a `Neon<true>` exists only where the CPU has both, and the instruction reads and
        // writes registers only.
        unsafe {
            let x = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(*x)));
            let mut sums = [ints.0, ints.1, ints.2, ints.3];
            for (sums, rows) in sums.iter_mut().zip(column) {
                if DOT {
                    asm!(
                        ".arch_extension dotprod",
                        "sdot {sums:v}.4s, {rows:v}.16b, {x:v}.16b",
                        sums = inout(vreg) *sums,
                        rows = in(vreg) rows,
                        x = in(vreg) x,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                } else {
                    let low = vpaddlq_s16(vmull_s8(vget_low_s8(rows), vget_low_s8(x)));
                    let high = vpaddlq_s16(vmull_s8(vget_high_s8(rows), vget_high_s8(x)));
                    *sums = vaddq_s32(*sums, vpaddq_s32(low, high));
                }
            }
            int32x4x4_t(sums[0], sums[1], sums[2], sums[3])
        }
    }

    #[inline(always)]
    fn splat(self, int: &i32) -> int32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it.
        unsafe {
            let ints = vdupq_n_s32(*int);
            int32x4x4_t(ints, ints, ints, ints)
        }
    }

    #[inline(always)]
    fn widen(self, bytes: &[u8; 16]) -> float32x4x4_t {
        // SAFETY: a `Neon` exists, so the CPU has it; the load takes just the sixteen bytes.
        unsafe {
            let bytes = vld1q_s8(bytes.as_ptr().cast());
            let (low, high) = (vmovl_s8(vget_low_s8(bytes)), vmovl_high_s8(bytes));
            float32x4x4_t(
                vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))),
                vcvtq_f32_s32(vmovl_high_s16(low)),
                vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))),
                vcvtq_f32_s32(vmovl_high_s16(high)),
            )
        }
    }

    /// In each of four rounds, the lines of the second half are interleaved with those of the first.
    #[inline(always)]
    fn transpose(self, rows: [&[u8; 16]; 16], columns: &mut [[u8; 16]; 16]) {
        // SAFETY: a `Neon` exists, so the CPU has it; each load and store takes just the sixteen bytes.
        unsafe {
            let mut lines = [vdupq_n_u8(0); 16];
            for (line, row) in lines.iter_mut().zip(rows) {
                *line = vld1q_u8(row.as_ptr());
            }
            for _ in 0..4 {
                let before = lines;
                for i in 0..8 {
                    lines[2 * i] = vzip1q_u8(before[i], before[i + 8]);
                    lines[2 * i + 1] = vzip2q_u8(before[i], before[i + 8]);
                }
            }
            for (column, line) in columns.iter_mut().zip(lines) {
                vst1q_u8(column.as_mut_ptr(), line);
            }
        }
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        kernel.run(self); // compiled for NEON already, as everything on this kind of CPU
    }
}
