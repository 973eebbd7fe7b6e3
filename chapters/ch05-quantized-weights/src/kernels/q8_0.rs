use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::{f16_of, part_of};
use crate::simd::Simd;

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
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q8_0; 16]) -> S::Lanes {
        f16_of(simd, part_of(blocks, |block| &block.scale))
    }

    #[inline(always)]
    fn add<S: Simd>(
        simd: S,
        blocks: [&Q8_0; 16],
        scales: &S::Lanes,
        _: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let (a, b) = (
            simd.load_rows(part_of(blocks, |block| &block.ints[0])),
            simd.load_rows(part_of(blocks, |block| &block.ints[1])),
        );
        let x = &x[0];
        let fours = simd.dot(b, &x.ints[1], simd.dot(a, &x.ints[0], simd.no_fours()));
        let scale = simd.multiply(*scales, simd.load(&[x.scale; 16]));
        *sum = simd.mul_add(scale, simd.to_f32(simd.total(fours), 0), *sum);
    }
}
