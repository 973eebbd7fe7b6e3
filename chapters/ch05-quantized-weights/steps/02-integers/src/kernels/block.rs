use bytemuck::Pod;
use ndarray::{ArrayView2, ArrayViewMut1};

use super::rounded::Group;
use crate::simd::Simd;

/// One block of weights, as the file packs them.
pub trait Block: Pod + Sync {
    /// The sums of sixteen outputs, with the products of sixteen blocks and a group of x added.
    fn add<S: Simd>(simd: S, blocks: [&Self; 16], x: &Group, sums: S::Lanes) -> S::Lanes;
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

/// Sixteen outputs to their places, as far as there are any. out: [columns]
#[inline(always)]
pub fn write<S: Simd>(simd: S, out: ArrayViewMut1<f32>, first: usize, sums: S::Lanes) {
    let mut numbers = [0.0; 16];
    simd.store(sums, &mut numbers);
    let out = &mut out.into_slice().expect("a row lies in one piece")[first..];
    let count = out.len().min(16);
    out[..count].copy_from_slice(&numbers[..count]);
}
