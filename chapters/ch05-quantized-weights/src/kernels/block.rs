use bytemuck::Pod;
use ndarray::{ArrayView2, ArrayViewMut2};

use super::rounded::Group;
use crate::simd::Simd;

/// One block of weights, as the file packs them.
pub trait Block: Pod + Sync {
    /// A kernel goes through a block in this many steps.
    const STEPS: usize;
    /// How many groups of thirty-two weights a step takes.
    const GROUPS_PER_STEP: usize;

    /// All scales of sixteen blocks, in lanes: each lane has those of one block.
    type Scales<S: Simd>;

    fn scales<S: Simd>(simd: S, blocks: [&Self; 16]) -> Self::Scales<S>;

    /// Adds the products of one step to the sums of sixteen outputs, for each of `M` rows of x.
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Self; 16],
        scales: &Self::Scales<S>,
        step: usize,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    );
}

/// Sixteen rows. Past the end the last one is taken once more. weight: [columns, blocks]
#[inline(always)]
pub fn sixteen_from<'a, B>(weight: ArrayView2<'a, B>, first: usize) -> [&'a [B]; 16] {
    let (columns, blocks) = weight.dim();
    let all = weight.to_slice().expect("rows one after the other");
    let mut rows = [all; 16];
    for (row, blocks_of_row) in (first..).zip(&mut rows) {
        *blocks_of_row = &all[row.min(columns - 1) * blocks..][..blocks];
    }
    rows
}

/// Stores sixteen outputs of each of `M` rows, as far as the matrix has columns. out: [rows,
/// columns]
#[inline(always)]
pub fn write<S: Simd, const M: usize>(
    simd: S,
    out: &mut ArrayViewMut2<f32>,
    row: usize,
    first: usize,
    sums: [S::Lanes; M],
) {
    for (row, sums) in (row..).zip(sums) {
        let mut numbers = [0.0; 16];
        simd.store(sums, &mut numbers);
        let out = out.row_mut(row).into_slice().expect("a row lies in one piece");
        let out = &mut out[first..];
        let count = out.len().min(16);
        out[..count].copy_from_slice(&numbers[..count]);
    }
}
