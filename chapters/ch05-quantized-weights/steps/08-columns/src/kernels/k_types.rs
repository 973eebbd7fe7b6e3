use bytemuck::{Pod, Zeroable, cast_ref};

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

/// Which bytes of a header have scales 0 to 3 in their low six bits, and which have minima 0 to 3. The last four have
/// their low four bits together, scale and minimum in one byte, and their high bits above those of the first.
const FIRST_SCALES: usize = 4;
const FIRST_MINIMA: usize = 8;
const LAST_LOW_BITS: usize = 12;

/// The eight scales and the eight minima of each header, as floats.
#[inline(always)]
fn scales_and_minima<S: Simd>(simd: S, headers: [&Header; 16]) -> [[S::Lanes; 8]; 2] {
    let of_all = [
        f16_of(simd, part_of(headers, |header| &header.scale_of_scales)),
        f16_of(simd, part_of(headers, |header| &header.scale_of_minima)),
    ];
    let mut bytes = [[0; 16]; 16]; // [byte of the header, row]
    simd.transpose(part_of(headers, |header| cast_ref(header)), &mut bytes);
    let mut lanes = [[of_all[0]; 8], [of_all[1]; 8]];
    for group in 0..4 {
        let (mut first, mut last) = ([[0; 16]; 2], [[0; 16]; 2]);
        for row in 0..16 {
            let (scale, minimum) =
                (bytes[FIRST_SCALES + group][row], bytes[FIRST_MINIMA + group][row]);
            let low = bytes[LAST_LOW_BITS + group][row];
            first[0][row] = scale & 63;
            first[1][row] = minimum & 63;
            last[0][row] = low & 15 | scale >> 6 << 4;
            last[1][row] = low >> 4 | minimum >> 6 << 4;
        }
        for kind in 0..2 {
            lanes[kind][group] = simd.multiply(of_all[kind], simd.widen(&first[kind]));
            lanes[kind][group + 4] = simd.multiply(of_all[kind], simd.widen(&last[kind]));
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
