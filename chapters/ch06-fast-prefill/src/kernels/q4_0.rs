use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

/// A scale, then 32 integers of four bits: the low halves of all bytes, then the high ones.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q4_0 {
    scale: [u8; 2],
    ints: [u8; 16],
}

impl QuantBlock for Q4_0 {
    const STEPS: usize = 1;
    const GROUPS_PER_STEP: usize = 1;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..2, 2), (2..18, 4)];
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> S::Lanes {
        blocks.f16s(simd, offset_of!(Q4_0, scale))
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        groups: &mut [Unpacked],
    ) {
        let bytes = blocks.rows(simd, offset_of!(Q4_0, ints));
        for half in 0..2 {
            W::pack(simd, simd.bits(bytes, 4 * half, 15), 8, &mut groups[0].ints[half]);
        }
        simd.store(*scales, &mut groups[0].factors[0]);
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        _: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let bytes = blocks.rows(simd, offset_of!(Q4_0, ints));
        let weight = [simd.bits(bytes, 0, 15), simd.bits(bytes, 4, 15)];
        let x = &x[0];
        let scale = simd.multiply(*scales, simd.load(&[x.scale; 16]));
        // Each integer is stored with 8 added.
        let dots = W::dots_from_zero(simd, weight, x.ints.each_ref());
        let ints = simd.to_f32(dots, 8 * (x.sums[0] + x.sums[1]));
        *sum = simd.mul_add(scale, ints, *sum);
    }
}
