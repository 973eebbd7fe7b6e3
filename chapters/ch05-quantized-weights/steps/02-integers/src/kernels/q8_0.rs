use bytemuck::{Pod, Zeroable};

use super::block::Block;
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

impl Block for Q8_0 {
    #[inline(always)]
    fn add<S: Simd>(simd: S, blocks: [&Q8_0; 16], x: &Group, sums: S::Lanes) -> S::Lanes {
        let scales = f16_of(simd, part_of(blocks, |block| &block.scale));
        let ints = simd.dots(
            [part_of(blocks, |block| &block.ints[0]), part_of(blocks, |block| &block.ints[1])],
            &x.ints,
        );
        let scale = simd.multiply(scales, simd.load(&[x.scale; 16]));
        simd.mul_add(scale, simd.load(&ints.map(|int| int as f32)), sums)
    }
}
