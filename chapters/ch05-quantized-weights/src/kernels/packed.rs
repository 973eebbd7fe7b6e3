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

/// How many rows of x share the unpacked weights.
const TOGETHER: usize = 4;

impl<B: Block> Job for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackedProduct { x, weight, mut out } = self;
        let rows = out.nrows();
        for first in (0..out.ncols()).step_by(16) {
            let blocks = sixteen_from(weight, first);
            // Prefetches the next blocks while these are computed: memory is slow to answer.
            let mut next = Some(16 * weight.ncols() * size_of::<B>());
            let mut row = 0;
            while row + TOGETHER <= rows {
                let x = from_fn(|m| x.row(row + m));
                let sums = sums::<S, B, TOGETHER>(simd, x, blocks, next.take());
                write(simd, &mut out, row, first, sums);
                row += TOGETHER;
            }
            for row in row..rows {
                let sums = sums::<S, B, 1>(simd, [x.row(row)], blocks, next.take());
                write(simd, &mut out, row, first, sums);
            }
        }
    }
}

/// Sixteen outputs for each of `M` rows of x.
#[inline(always)]
fn sums<S: Simd, B: Block, const M: usize>(
    simd: S,
    x: [&[Group]; M],
    weight: [&[B]; 16],
    ahead: Option<usize>,
) -> [S::Lanes; M] {
    let length = weight[0].len();
    let weight = weight.map(|row| &row[..length]);
    let x = x.map(|row| &row[..length * B::STEPS * B::GROUPS_PER_STEP]);
    let mut sums = [simd.load(&[0.0; 16]); M];
    for (block, _) in weight[0].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        let scales = B::scales(simd, blocks);
        for step in 0..B::STEPS {
            if let Some(ahead) = ahead {
                // A few with every step, because memory accepts only so many requests at once.
                let some = 16 / B::STEPS;
                for lane in 0..some {
                    simd.fetch(bytes_of(blocks[step * some + lane]), ahead);
                }
            }
            let first = (block * B::STEPS + step) * B::GROUPS_PER_STEP;
            let x = from_fn(|m| &x[m][first..first + B::GROUPS_PER_STEP]);
            B::add(simd, blocks, &scales, step, x, &mut sums);
        }
    }
    sums
}
