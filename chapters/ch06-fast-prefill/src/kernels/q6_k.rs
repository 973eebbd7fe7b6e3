use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::{f16_of, part_of};
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
    type Scales<S: Simd> = [S::Lanes; 16];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q6K; 16]) -> [S::Lanes; 16] {
        let scale = f16_of(simd, part_of(blocks, |block| &block.scale_of_scales));
        let mut bytes = [[0; 16]; 16]; // [scale, row]
        simd.transpose(part_of(blocks, |block| &block.scales), &mut bytes);
        let mut scales = [scale; 16];
        for (scales, bytes) in scales.iter_mut().zip(bytes) {
            *scales = simd.multiply(scale, simd.widen(&bytes));
        }
        scales
    }

    #[inline(always)]
    fn unpack<S: Simd>(
        simd: S,
        blocks: [&Q6K; 16],
        scales: &[S::Lanes; 16],
        groups: &mut [Unpacked],
    ) {
        for step in 0..2 {
            for half in 0..2 {
                let low = |i: usize| {
                    simd.load_rows(part_of(blocks, |block| &block.low[step][i][half]))
                };
                let low = [low(0), low(1)];
                let high = simd.load_rows(part_of(blocks, |block| &block.high[step][half]));
                for group in 0..4 {
                    let low = simd.bits(low[group % 2], group / 2 * 4, 15);
                    let rows = simd.join(low, simd.bits(high, 2 * group, 3));
                    simd.pack(rows, 32, &mut groups[4 * step + group].ints[half]);
                }
            }
        }
        for (group, to) in groups.iter_mut().enumerate() {
            simd.store(scales[2 * group], &mut to.factors[0]);
            simd.store(scales[2 * group + 1], &mut to.factors[1]);
        }
    }

    #[inline(always)]
    fn add<S: Simd>(
        simd: S,
        blocks: [&Q6K; 16],
        scales: &[S::Lanes; 16],
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let low = |i: usize, half: usize| {
            simd.load_rows(part_of(blocks, |block| &block.low[step][i][half]))
        };
        let low = [[low(0, 0), low(0, 1)], [low(1, 0), low(1, 1)]];
        let high =
            |half: usize| simd.load_rows(part_of(blocks, |block| &block.high[step][half]));
        let high = [high(0), high(1)];
        for group in 0..4 {
            for half in 0..2 {
                let low = simd.bits(low[group % 2][half], group / 2 * 4, 15);
                let weight = simd.join(low, simd.bits(high[half], 2 * group, 3));
                let scale = scales[8 * step + 2 * group + half];
                let x = &x[group];
                let fours = simd.dot_from_zero(weight, &x.ints[half], simd.no_fours());
                let scale = simd.multiply(scale, simd.load(&[x.scale; 16]));
                // Each integer is stored with 32 added.
                let ints = simd.to_f32(simd.total(fours), 32 * x.sums[half]);
                *sum = simd.mul_add(scale, ints, *sum);
            }
        }
    }
}
