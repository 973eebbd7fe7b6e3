use super::packed::Block;
use super::rounded::Group;
use super::sixteen::{bytes_at, f16_of};
use crate::simd::Simd;

/// A scale, then 32 integers of eight bits.
pub type Q8_0 = [u8; 34];

impl Block for Q8_0 {
    #[inline(always)]
    fn add<S: Simd>(simd: S, blocks: [&Q8_0; 16], x: &Group, sums: S::Lanes) -> S::Lanes {
        let scales = f16_of(simd, bytes_at(blocks, 0));
        let ints = simd.dots([bytes_at(blocks, 2), bytes_at(blocks, 18)], &x.ints);
        let scale = simd.multiply(scales, simd.load(&[x.scale; 16]));
        simd.mul_add(scale, simd.load(&ints.map(|int| int as f32)), sums)
    }
}
