use std::ops::Range;

use bytemuck::Pod;
use ndarray::ArrayViewMut2;

use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

/// One block of weights, as the file packs them.
pub trait QuantBlock: Pod + Send + Sync {
    /// A kernel goes through a block in this many steps.
    const STEPS: usize;
    /// How many groups of thirty-two weights a step computes.
    const GROUPS_PER_STEP: usize;

    /// Which bytes of a block are read how many at a time: four integers, an f16, or a byte.
    const FIELDS: &'static [(Range<usize>, usize)];

    /// Where repacked blocks have what begins at byte `first` of the file's: a product reads them from front to back.
    #[inline(always)]
    fn place(first: usize) -> usize {
        first
    }

    /// All scales of sixteen blocks, in lanes, or as the integers from which lanes are made: each lane has those of one
    /// block.
    type Scales<S: Simd>;

    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> Self::Scales<S>;

    /// Adds the products of one step to sixteen outputs.
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Self::Scales<S>,
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    );

    /// Whether the weights of a group have a minimum to be subtracted.
    const MINIMA: bool = false;
    /// Whether each half of a group has a scale of its own.
    const HALVES: bool = false;

    /// All groups of sixteen blocks, one after the other.
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &Self::Scales<S>,
        groups: &mut [Unpacked],
    );
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
