use std::array::from_fn;

use super::packed::Block;
use crate::simd::Simd;

/// Sixteen rows of a weight, unpacked and in the order in which a product of many rows needs them.
pub struct Panel {
    pub ints: Vec<Ints>,       // [groups]
    pub factors: Vec<Sixteen>, // [groups * FACTORS]
}

/// Thirty-two integers of each row: in columns of four, those of all rows one after the other.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Ints(pub [[[u8; 64]; 4]; 2]);

/// A number of each row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Sixteen(pub [f32; 16]);

impl Panel {
    pub fn new<B: Block>(blocks: usize) -> Panel {
        let groups = blocks * B::STEPS * B::GROUPS;
        Panel {
            ints: vec![Ints([[[0; 64]; 4]; 2]); groups],
            factors: vec![Sixteen([0.0; 16]); groups * B::FACTORS],
        }
    }

    #[inline(always)]
    pub fn unpack<S: Simd, B: Block>(&mut self, simd: S, weight: [&[B]; 16]) {
        let groups = B::STEPS * B::GROUPS;
        let ints = self.ints.chunks_exact_mut(groups);
        let factors = self.factors.chunks_exact_mut(groups * B::FACTORS);
        for (block, (ints, factors)) in ints.zip(factors).enumerate() {
            let blocks = from_fn(|lane| &weight[lane][block]);
            let scales = B::scales(simd, blocks);
            B::unpack(simd, blocks, &scales, ints, factors);
        }
    }
}
