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
    type Scales<S: Simd> = Scales<S>;

    /// The scales, then for each half of a step: the low bits of two groups and of the two after them, and the high bits.
    #[inline(always)]
    fn place(first: usize) -> usize {
        let before = 18 + first / 16 % 2 * 48;
        match first {
            0..128 => before + first / 64 * 96 + first / 32 % 2 * 16 + first % 16,
            128..192 => before + (first - 128) / 32 * 96 + 32 + first % 16,
            _ => first - 192,
        }
    }

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> Scales<S> {
        Scales {
            of_all: blocks.f16s(simd, offset_of!(Q6K, scale_of_scales)),
            ints: blocks.columns(simd, offset_of!(Q6K, scales)),
        }
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Scales<S>,
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
            simd.store(scales.of(simd, 2 * group), &mut to.factors[0]);
            simd.store(scales.of(simd, 2 * group + 1), &mut to.factors[1]);
        }
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Scales<S>,
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let mut dots = [[simd.splat(&0); 4]; 2];
        for (half, dots) in dots.iter_mut().enumerate() {
            let low = offset_of!(Q6K, low) + 64 * step + 16 * half;
            let low = [blocks.rows(simd, low), blocks.rows(simd, low + 32)];
            let high = blocks.rows(simd, offset_of!(Q6K, high) + 32 * step + 16 * half);
            *dots = [
                dots_of::<S, W, 0>(simd, low, high, &x[0].ints[half]),
                dots_of::<S, W, 1>(simd, low, high, &x[1].ints[half]),
                dots_of::<S, W, 2>(simd, low, high, &x[2].ints[half]),
                dots_of::<S, W, 3>(simd, low, high, &x[3].ints[half]),
            ];
        }
        for (group, x) in x.iter().enumerate() {
            for (half, dots) in dots.iter().enumerate() {
                let scale = scales.of(simd, 8 * step + 2 * group + half);
                let scale = simd.multiply(scale, simd.load(&[x.scale; 16]));
                // Each integer is stored with 32 added.
                let ints = simd.to_f32(dots[group], 32 * x.sums[half]);
                *sum = simd.mul_add(scale, ints, *sum);
            }
        }
    }
}

/// The sixteen scales of each block, and what all are multiples of. One becomes floats when it is needed: sixteen
/// registers would not stay registers.
pub struct Scales<S: Simd> {
    of_all: S::Lanes,
    ints: [[u8; 16]; 16], // [scale, row]
}

impl<S: Simd> Scales<S> {
    #[inline(always)]
    fn of(&self, simd: S, index: usize) -> S::Lanes {
        simd.multiply(self.of_all, simd.widen(&self.ints[index]))
    }
}

/// The products of half a group. A function for each group, so that the compiler knows by how much to shift.
#[inline(always)]
fn dots_of<S: Simd, W: Sixteen, const GROUP: usize>(
    simd: S,
    low: [S::Rows; 2],
    high: S::Rows,
    x: &[u8; 16],
) -> S::Ints {
    let low = simd.bits(low[GROUP % 2], GROUP / 2 * 4, 15);
    W::dots_from_zero(simd, [simd.join(low, simd.bits(high, 2 * GROUP, 3))], [x])
}
