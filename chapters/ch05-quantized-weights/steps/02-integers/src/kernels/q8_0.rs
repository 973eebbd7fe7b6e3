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
        let x = &x[0];
        let ints = simd.dots(
            [part_of(blocks, |block| &block.ints[0]), part_of(blocks, |block| &block.ints[1])],
            &x.ints,
        );
        let scale = simd.multiply(*scales, simd.load(&[x.scale; 16]));
        *sum = simd.mul_add(scale, simd.load(&ints.map(|int| int as f32)), *sum);
    }
}
