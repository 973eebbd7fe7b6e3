use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

/// A scale, then 32 integers of eight bits.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q8_0 {
    scale: [u8; 2],
    ints: [[u8; 16]; 2],
}

impl QuantBlock for Q8_0 {
    const STEPS: usize = 1;
    const GROUPS_PER_STEP: usize = 1;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..2, 2), (2..34, 4)];
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> S::Lanes {
        blocks.f16s(simd, offset_of!(Q8_0, scale))
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        groups: &mut [Unpacked],
    ) {
        for half in 0..2 {
            let rows = blocks.rows(simd, offset_of!(Q8_0, ints) + 16 * half);
            W::pack(simd, rows, 0, &mut groups[0].ints[half]);
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
        let ints = offset_of!(Q8_0, ints);
        let rows = [blocks.rows(simd, ints), blocks.rows(simd, ints + 16)];
        let scale = simd.multiply(*scales, simd.load(&[x[0].scale; 16]));
        *sum = simd.mul_add(scale, simd.to_f32(W::dots(simd, rows, &x[0]), 0), *sum);
    }
}
