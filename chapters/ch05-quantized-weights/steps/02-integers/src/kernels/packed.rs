use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut1, ArrayViewMut2};

use super::rounded::{Group, Rounded};
use crate::simd::{Job, Simd};

/// Weights as the file packs them: one block.
pub trait Block: Copy + Sync {
    /// The sums of sixteen outputs, with the products of sixteen blocks and a group of x added.
    fn add<S: Simd>(simd: S, blocks: [&Self; 16], x: &Group, sums: S::Lanes) -> S::Lanes;
}

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
            for row in 0..out.nrows() {
                let sums = sums(simd, x.row(row), blocks);
                write(simd, out.row_mut(row), first, sums);
            }
        }
    }
}

/// Sixteen rows. Past the end the last one is taken once more. weight: [columns, blocks]
#[inline(always)]
fn sixteen_from<'a, B>(weight: ArrayView2<'a, B>, first: usize) -> [&'a [B]; 16] {
    let (columns, blocks) = weight.dim();
    let all = weight.to_slice().expect("rows one after the other");
    let mut rows = [all; 16];
    for (row, blocks_of_row) in (first..).zip(&mut rows) {
        *blocks_of_row = &all[row.min(columns - 1) * blocks..][..blocks];
    }
    rows
}

/// Sixteen outputs for a row of x.
#[inline(always)]
fn sums<S: Simd, B: Block>(simd: S, x: &[Group], weight: [&[B]; 16]) -> S::Lanes {
    let length = weight[0].len();
    let weight = weight.map(|row| &row[..length]);
    let mut sums = simd.load(&[0.0; 16]);
    for (block, x) in x[..length].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        sums = B::add(simd, blocks, x, sums);
    }
    sums
}

/// Sixteen outputs to their places, as far as there are any. out: [columns]
#[inline(always)]
fn write<S: Simd>(simd: S, out: ArrayViewMut1<f32>, first: usize, sums: S::Lanes) {
    let mut numbers = [0.0; 16];
    simd.store(sums, &mut numbers);
    let out = &mut out.into_slice().expect("a row lies in one piece")[first..];
    let count = out.len().min(16);
    out[..count].copy_from_slice(&numbers[..count]);
}
