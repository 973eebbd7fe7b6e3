use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::k_types::add_with_minima;
use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

/// A scale and a minimum, then 32 integers of four bits: the low halves of all bytes, then the high ones.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q4_1 {
    scale: [u8; 2],
    minimum: [u8; 2],
    ints: [u8; 16],
}

impl QuantBlock for Q4_1 {
    const STEPS: usize = 1;
    const GROUPS_PER_STEP: usize = 1;
    const MINIMA: bool = true;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..4, 2), (4..20, 4)];
    type Scales<S: Simd> = [S::Lanes; 2];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> [S::Lanes; 2] {
        let scale = blocks.f16s(simd, offset_of!(Q4_1, scale));
        let minimum = blocks.f16s(simd, offset_of!(Q4_1, minimum));
        // This minimum is added, and a product subtracts minima, as those of the K types are.
        [scale, simd.multiply(minimum, simd.load(&[-1.0; 16]))]
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &[S::Lanes; 2],
        groups: &mut [Unpacked],
    ) {
        let bytes = blocks.rows(simd, offset_of!(Q4_1, ints));
        for half in 0..2 {
            W::pack(simd, simd.bits(bytes, 4 * half, 15), 0, &mut groups[0].ints[half]);
        }
        for (lanes, to) in scales.iter().zip(&mut groups[0].factors) {
            simd.store(*lanes, to);
        }
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &[S::Lanes; 2],
        _: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let bytes = blocks.rows(simd, offset_of!(Q4_1, ints));
        let weight = [simd.bits(bytes, 0, 15), simd.bits(bytes, 4, 15)];
        add_with_minima::<S, W>(simd, weight, *scales, &x[0], sum);
    }
}
