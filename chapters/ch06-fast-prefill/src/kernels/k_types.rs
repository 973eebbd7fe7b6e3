use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

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
    const MINIMA: bool = true;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..4, 2), (4..16, 1), (16..144, 4)];
    type Scales<S: Simd> = Factors<S>;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> Factors<S> {
        scales_and_minima(simd, blocks)
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Factors<S>,
        groups: &mut [Unpacked],
    ) {
        for step in 0..4 {
            for half in 0..2 {
                let rows = blocks.rows(simd, offset_of!(Q4K, ints) + 32 * step + 16 * half);
                for group in 0..2 {
                    let to = &mut groups[2 * step + group].ints[half];
                    W::pack(simd, simd.bits(rows, 4 * group, 15), 0, to);
                }
            }
        }
        store_factors(simd, scales, groups);
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Factors<S>,
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let ints = offset_of!(Q4K, ints) + 32 * step;
        let (a, b) = (blocks.rows(simd, ints), blocks.rows(simd, ints + 16));
        for (half, x) in x.iter().enumerate() {
            let weight = [simd.bits(a, 4 * half, 15), simd.bits(b, 4 * half, 15)];
            let factors = scales.of(simd, 2 * step + half);
            add_with_minima::<S, W>(simd, weight, factors, x, sum);
        }
    }
}

/// A header, a fifth bit of 256 integers, then the other four as in `Q4K`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q5K {
    header: Header,
    fifth: [[u8; 16]; 2], // [half of a group]; bit 0 is of group 0, bit 7 of group 7
    ints: [[[u8; 16]; 2]; 4],
}

impl QuantBlock for Q5K {
    const STEPS: usize = 4;
    const GROUPS_PER_STEP: usize = 2;
    const MINIMA: bool = true;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..4, 2), (4..16, 1), (16..176, 4)];
    type Scales<S: Simd> = Factors<S>;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> Factors<S> {
        scales_and_minima(simd, blocks)
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Factors<S>,
        groups: &mut [Unpacked],
    ) {
        for half in 0..2 {
            let fifth = blocks.rows(simd, offset_of!(Q5K, fifth) + 16 * half);
            for step in 0..4 {
                let rows = blocks.rows(simd, offset_of!(Q5K, ints) + 32 * step + 16 * half);
                for group in 0..2 {
                    let to = &mut groups[2 * step + group].ints[half];
                    let fifth = simd.bits(fifth, 2 * step + group, 1);
                    W::pack(simd, simd.join(simd.bits(rows, 4 * group, 15), fifth), 0, to);
                }
            }
        }
        store_factors(simd, scales, groups);
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Factors<S>,
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        // First the fifth bits, which come first: the hardware goes ahead only of reads that go forwards.
        let fifth = offset_of!(Q5K, fifth);
        let fifth = [blocks.rows(simd, fifth), blocks.rows(simd, fifth + 16)];
        let mut weight = [fifth; 2];
        for (half, fifth) in fifth.into_iter().enumerate() {
            let rows = blocks.rows(simd, offset_of!(Q5K, ints) + 32 * step + 16 * half);
            for (group, weight) in weight.iter_mut().enumerate() {
                let fifth = simd.bits(fifth, 2 * step + group, 1);
                weight[half] = simd.join(simd.bits(rows, 4 * group, 15), fifth);
            }
        }
        for (group, x) in x.iter().enumerate() {
            let factors = scales.of(simd, 2 * step + group);
            add_with_minima::<S, W>(simd, weight[group], factors, x, sum);
        }
    }
}

/// What `Q4K` and `Q5K` begin with.
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

/// The eight scales and the eight minima of each header, and what all eight are multiples of. A group's become floats
/// when it needs them: sixteen registers would not stay registers.
pub struct Factors<S: Simd> {
    of_all: [S::Lanes; 2],
    ints: [[[u8; 16]; 8]; 2], // [scales or minima, group, row]
}

impl<S: Simd> Factors<S> {
    /// A group's scale and minimum.
    #[inline(always)]
    fn of(&self, simd: S, group: usize) -> [S::Lanes; 2] {
        let [scale, minimum] = self.of_all;
        let [scales, minima] = &self.ints;
        [
            simd.multiply(scale, simd.widen(&scales[group])),
            simd.multiply(minimum, simd.widen(&minima[group])),
        ]
    }
}

#[inline(always)]
fn scales_and_minima<S: Simd>(simd: S, blocks: impl Sixteen) -> Factors<S> {
    let of_all = [
        blocks.f16s(simd, offset_of!(Header, scale_of_scales)),
        blocks.f16s(simd, offset_of!(Header, scale_of_minima)),
    ];
    let bytes = blocks.columns(simd, 0); // [byte of the header, row]
    // Four bytes of all rows.
    let [scale, minimum, low] = [FIRST_SCALES, FIRST_MINIMA, LAST_LOW_BITS]
        .map(|first| bytes[first..first + 4].as_flattened());
    let mut ints = [[[0; 16]; 8]; 2];
    let [scales, minima] = &mut ints;
    let (first_scales, last_scales) = scales.as_flattened_mut().split_at_mut(64);
    let (first_minima, last_minima) = minima.as_flattened_mut().split_at_mut(64);
    for i in 0..64 {
        first_scales[i] = scale[i] & 63;
        first_minima[i] = minimum[i] & 63;
        last_scales[i] = low[i] & 15 | scale[i] >> 6 << 4;
        last_minima[i] = low[i] >> 4 | minimum[i] >> 6 << 4;
    }
    Factors { of_all, ints }
}

/// Adds the products of a group, and subtracts its minimum's share. factors: its scale and its minimum
#[inline(always)]
pub fn add_with_minima<S: Simd, W: Sixteen>(
    simd: S,
    weight: [S::Rows; 2],
    [scale, minimum]: [S::Lanes; 2],
    x: &Group,
    sum: &mut S::Lanes,
) {
    let scale = simd.multiply(scale, simd.load(&[x.scale; 16]));
    let ints = W::dots_from_zero(simd, weight, x.ints.each_ref());
    *sum = simd.mul_add(scale, simd.to_f32(ints, 0), *sum);
    *sum = simd.mul_add(minimum, simd.load(&[x.minus_sum; 16]), *sum);
}

#[inline(always)]
fn store_factors<S: Simd>(simd: S, factors: &Factors<S>, groups: &mut [Unpacked]) {
    for (group, to) in groups.iter_mut().enumerate() {
        for (lanes, to) in factors.of(simd, group).into_iter().zip(&mut to.factors) {
            simd.store(lanes, to);
        }
    }
}
