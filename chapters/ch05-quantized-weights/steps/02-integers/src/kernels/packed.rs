use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::quant_block::{QuantBlock, sixteen_from, write};
use super::rounded::{Group, Rounded};
use crate::simd::{Kernel, Simd};

/// x times weight transposed. x: [rows, inner], weight: [columns, blocks], out: [rows, columns]
pub struct PackedProduct<'a, B> {
    pub x: &'a Rounded,
    pub weight: ArrayView2<'a, B>,
    pub out: ArrayViewMut2<'a, f32>,
}

impl<B: QuantBlock> Kernel for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackedProduct { x, weight, mut out } = self;
        for first in (0..out.ncols()).step_by(16) {
            let blocks = sixteen_from(weight, first);
            for row in 0..out.nrows() {
                let sums = sums(simd, x.row(row), blocks);
                write(simd, sums, &mut out, row, first);
            }
        }
    }
}

/// Sixteen outputs of a row.
#[inline(always)]
fn sums<S: Simd, B: QuantBlock>(simd: S, x: &[Group], weight: [&[B]; 16]) -> S::Lanes {
    let length = weight[0].len();
    let weight = weight.map(|row| &row[..length]);
    let x = &x[..length * B::STEPS * B::GROUPS_PER_STEP];
    let mut sums = simd.load(&[0.0; 16]);
    for (block, _) in weight[0].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        let scales = B::scales(simd, blocks);
        for step in 0..B::STEPS {
            let first = (block * B::STEPS + step) * B::GROUPS_PER_STEP;
            let x = &x[first..first + B::GROUPS_PER_STEP];
            B::add(simd, blocks, &scales, step, x, &mut sums);
        }
    }
    sums
}
