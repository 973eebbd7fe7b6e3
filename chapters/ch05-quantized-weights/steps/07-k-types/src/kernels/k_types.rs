use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::{dots_from_zero, f16_of, part_of};
use crate::simd::Simd;

/// A header, then 256 integers of four bits. Two groups of 32 share 32 bytes: one has the low halves, the
/// other the high ones.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q4K {
    header: Header,
    ints: [[[u8; 16]; 2]; 4], // [step, half of a group]
}

impl QuantBlock for Q4K {
    const STEPS: usize = 4;
    const GROUPS_PER_STEP: usize = 2;
    type Scales<S: Simd> = [[S::Lanes; 8]; 2];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q4K; 16]) -> [[S::Lanes; 8]; 2] {
        scales_and_minima(simd, part_of(blocks, |block| &block.header))
    }

    #[inline(always)]
    fn add<S: Simd>(
        simd: S,
        blocks: [&Q4K; 16],
        scales: &[[S::Lanes; 8]; 2],
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let a = simd.load_rows(part_of(blocks, |block| &block.ints[step][0]));
        let b = simd.load_rows(part_of(blocks, |block| &block.ints[step][1]));
        for (half, x) in x.iter().enumerate() {
            let weight = [simd.bits(a, 4 * half, 15), simd.bits(b, 4 * half, 15)];
            add_with_minima(simd, weight, scales, 2 * step + half, x, sum);
        }
    }
}

/// What a block begins with.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    scale_of_scales: [u8; 2],
    scale_of_minima: [u8; 2],
    packed: [u8; 12], // eight scales and eight minima of six bits
}

impl Header {
    /// The scale and the minimum of a group. The last four have their low four bits together in one byte, and their
    /// high bits above those of the first four.
    #[inline(always)]
    fn scale_and_minimum(&self, group: usize) -> [u8; 2] {
        let packed = &self.packed;
        if group < 4 {
            return [packed[group] & 63, packed[group + 4] & 63];
        }
        let low = packed[group + 4];
        [low & 15 | packed[group - 4] >> 6 << 4, low >> 4 | packed[group] >> 6 << 4]
    }
}

/// The eight scales and the eight minima of each header, as floats.
#[inline(always)]
fn scales_and_minima<S: Simd>(simd: S, headers: [&Header; 16]) -> [[S::Lanes; 8]; 2] {
    let of_all = [
        f16_of(simd, part_of(headers, |header| &header.scale_of_scales)),
        f16_of(simd, part_of(headers, |header| &header.scale_of_minima)),
    ];
    let mut lanes = [[of_all[0]; 8], [of_all[1]; 8]];
    for group in 0..8 {
        let mut of_rows = [[0.0; 16]; 2];
        for (row, header) in headers.iter().enumerate() {
            let [scale, minimum] = header.scale_and_minimum(group);
            of_rows[0][row] = f32::from(scale);
            of_rows[1][row] = f32::from(minimum);
        }
        for kind in 0..2 {
            lanes[kind][group] = simd.multiply(of_all[kind], simd.load(&of_rows[kind]));
        }
    }
    lanes
}

/// Adds the products of a group, and subtracts its minimum's share.
#[inline(always)]
fn add_with_minima<S: Simd>(
    simd: S,
    weight: [S::Rows; 2],
    [scales, minima]: &[[S::Lanes; 8]; 2],
    group: usize,
    x: &Group,
    sum: &mut S::Lanes,
) {
    let scale = simd.multiply(scales[group], simd.load(&[x.scale; 16]));
    *sum = simd.mul_add(scale, simd.to_f32(dots_from_zero(simd, weight, x), 0), *sum);
    // The minimum times the sum of x's integers.
    let times = x.scale * (x.sums[0] + x.sums[1]) as f32;
    *sum = simd.mul_add(minima[group], simd.load(&[-times; 16]), *sum);
}
