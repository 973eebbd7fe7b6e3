use bytemuck::Pod;
use ndarray::{ArrayView2, ArrayViewMut2};

use super::rounded::Group;
use crate::simd::Simd;

/// One block of weights, as the file packs them.
pub trait QuantBlock: Pod + Sync {
    /// A kernel goes through a block in this many steps.
    const STEPS: usize;
    /// How many groups of thirty-two weights a step computes.
    const GROUPS_PER_STEP: usize;

    /// All scales of sixteen blocks, in lanes: each lane has those of one block.
    type Scales<S: Simd>;

    fn scales<S: Simd>(simd: S, blocks: [&Self; 16]) -> Self::Scales<S>;

    /// Adds the products of one step to sixteen outputs.
    fn add<S: Simd>(
        simd: S,
        blocks: [&Self; 16],
        scales: &Self::Scales<S>,
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    );
}

/// Sixteen rows. Past the end the last one is repeated. weight: [columns, blocks]
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

/// Stores sixteen outputs, as far as the matrix has columns. out: [rows, columns]
#[inline(always)]
pub fn write<S: Simd>(
    simd: S,
    sums: S::Lanes,
    out: &mut ArrayViewMut2<f32>,
    row: usize,
    first: usize,
) {
    let out = out.row_mut(row).into_slice().expect("a row lies in one piece");
    let out = &mut out[first..];
    if let Some(sixteen) = out.first_chunk_mut() {
        return simd.store(sums, sixteen);
    }
    let mut numbers = [0.0; 16];
    simd.store(sums, &mut numbers);
    out.copy_from_slice(&numbers[..out.len()]);
}
