use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

/// Low four bits of 256 integers, their high two bits, sixteen scales of eight bits, a scale of scales.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q6K {
    low: [[[[u8; 16]; 2]; 2]; 2], // [step, group and the one two after it, half of a group]
    high: [[[u8; 16]; 2]; 2],     // [step, half of a group]: two bits of each of four groups
    scales: [u8; 16],
    scale_of_scales: [u8; 2],
}

impl QuantBlock for Q6K {
    const STEPS: usize = 2;
    const GROUPS_PER_STEP: usize = 4;
    const HALVES: bool = true;
    const FIELDS: &'static [(Range<usize>, usize)] =
        &[(0..192, 4), (192..208, 1), (208..210, 2)];
    type Scales<S: Simd> = [S::Lanes; 16];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> [S::Lanes; 16] {
        let scale = blocks.f16s(simd, offset_of!(Q6K, scale_of_scales));
        let bytes = blocks.columns(simd, offset_of!(Q6K, scales)); // [scale, row]
        let mut scales = [scale; 16];
        for (scales, bytes) in scales.iter_mut().zip(bytes) {
            *scales = simd.multiply(scale, simd.widen(&bytes));
        }
        scales
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &[S::Lanes; 16],
        groups: &mut [Unpacked],
    ) {
        for step in 0..2 {
            for half in 0..2 {
                let low = offset_of!(Q6K, low) + 64 * step + 16 * half;
                let low = [blocks.rows(simd, low), blocks.rows(simd, low + 32)];
                let high = offset_of!(Q6K, high) + 32 * step + 16 * half;
                let high = blocks.rows(simd, high);
                for group in 0..4 {
                    let low = simd.bits(low[group % 2], group / 2 * 4, 15);
                    let rows = simd.join(low, simd.bits(high, 2 * group, 3));
                    W::pack(simd, rows, 32, &mut groups[4 * step + group].ints[half]);
                }
            }
        }
        for (group, to) in groups.iter_mut().enumerate() {
            simd.store(scales[2 * group], &mut to.factors[0]);
            simd.store(scales[2 * group + 1], &mut to.factors[1]);
        }
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &[S::Lanes; 16],
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let rows = |first: usize| blocks.rows(simd, first);
        let low = offset_of!(Q6K, low) + 64 * step;
        let low = [[rows(low), rows(low + 16)], [rows(low + 32), rows(low + 48)]];
        let high = offset_of!(Q6K, high) + 32 * step;
        let high = [rows(high), rows(high + 16)];
        for group in 0..4 {
            for half in 0..2 {
                let low = simd.bits(low[group % 2][half], group / 2 * 4, 15);
                let weight = simd.join(low, simd.bits(high[half], 2 * group, 3));
                let scale = scales[8 * step + 2 * group + half];
                let x = &x[group];
                let dots = W::dots_from_zero(simd, [weight], [&x.ints[half]]);
                let scale = simd.multiply(scale, simd.load(&[x.scale; 16]));
                // Each integer is stored with 32 added.
                let ints = simd.to_f32(dots, 32 * x.sums[half]);
                *sum = simd.mul_add(scale, ints, *sum);
            }
        }
    }
}
