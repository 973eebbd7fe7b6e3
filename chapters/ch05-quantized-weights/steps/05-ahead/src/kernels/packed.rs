use std::array::from_fn;

use bytemuck::bytes_of;
use ndarray::{ArrayView2, ArrayViewMut2};

use super::block::{Block, sixteen_from, write};
use super::rounded::{Group, Rounded};
use crate::simd::{Job, Simd};

/// x times weight transposed. x: [rows, inner], weight: [columns, blocks], out: [rows, columns]
pub struct PackedProduct<'a, B> {
    pub x: &'a Rounded,
    pub weight: ArrayView2<'a, B>,
    pub out: ArrayViewMut2<'a, f32>,
}

impl<B: Block> Job for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackedProduct { x, weight, mut out } = self;
        for first in (0..out.ncols()).step_by(16) {
            let blocks = sixteen_from(weight, first);
            // Prefetches the next blocks while these are computed: memory is slow to answer.
            let mut next = Some(16 * weight.ncols() * size_of::<B>());
            for row in 0..out.nrows() {
                let sums = sums(simd, x.row(row), blocks, next.take());
                write(simd, out.row_mut(row), first, sums);
            }
        }
    }
}

/// Sixteen outputs for a row of x.
#[inline(always)]
fn sums<S: Simd, B: Block>(
    simd: S,
    x: &[Group],
    weight: [&[B]; 16],
    ahead: Option<usize>,
) -> S::Lanes {
    let length = weight[0].len();
    let weight = weight.map(|row| &row[..length]);
    let mut sums = simd.load(&[0.0; 16]);
    for (block, x) in x[..length].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        if let Some(ahead) = ahead {
            for block in blocks {
                simd.fetch(bytes_of(block), ahead);
            }
        }
        sums = B::add(simd, blocks, x, sums);
    }
    sums
}
