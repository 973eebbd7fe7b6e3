use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::panels::{PANELS, panels};
use super::rounded::{Group, Rounded};
use super::unpacked::Unpacked;
use crate::simd::{Job, Simd};

/// Weights as the file packs them: one block.
pub trait Block: Copy + AsRef<[u8]> + Sync {
    /// A block is taken in this many steps, and a step takes this many times thirty-two weights.
    const STEPS: usize;
    const GROUPS: usize;

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

    /// Whether something is taken away from all weights of a group.
    const MINIMA: bool = false;
    /// Whether the first sixteen weights of a group have another scale than the last.
    const HALVES: bool = false;

    /// All groups of sixteen blocks, one after the other.
    fn unpack<S: Simd>(
        simd: S,
        blocks: [&Self; 16],
        scales: &Self::Scales<S>,
        groups: &mut [Unpacked],
    );
}

/// x times weight transposed. x: [rows, inner], weight: [columns, blocks], out: [rows, columns]
pub struct PackedProduct<'a, B> {
    pub x: &'a Rounded,
    pub weight: ArrayView2<'a, B>,
    pub out: ArrayViewMut2<'a, f32>,
    pub room: &'a mut [Unpacked], // as much as `PackedProduct::room` says, with anything in it
}

impl<B: Block> PackedProduct<'_, B> {
    /// How much room it takes to unpack weights for so many rows of x.
    pub fn room(rows: usize, blocks: usize) -> usize {
        if rows > 1 { PANELS * blocks * B::STEPS * B::GROUPS } else { 0 }
    }
}

impl<B: Block> Job for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackedProduct { x, weight, out, room } = self;
        // The fastest that were tried, with thirty-two registers and with sixteen.
        match (out.nrows(), S::GROUPS) {
            (1, _) => one_row(simd, x, weight, out),
            (_, 32) if B::HALVES => panels::<S, B, 3, 4>(simd, x, weight, out, room),
            (_, 32) => panels::<S, B, 4, 4>(simd, x, weight, out, room),
            _ => panels::<S, B, 2, 2>(simd, x, weight, out, room),
        }
    }
}

/// A lone row: every weight is taken once, right from where the file has it.
#[inline(always)]
fn one_row<S: Simd, B: Block>(
    simd: S,
    x: &Rounded,
    weight: ArrayView2<B>,
    mut out: ArrayViewMut2<f32>,
) {
    for first in (0..out.ncols()).step_by(16) {
        let sums = sums(simd, x.row(0), sixteen_from(weight, first));
        write(simd, sums, &mut out, 0, first);
    }
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

/// Sixteen outputs of a row.
#[inline(always)]
fn sums<S: Simd, B: Block>(simd: S, x: &[Group], weight: [&[B]; 16]) -> S::Lanes {
    let length = weight[0].len();
    let weight = weight.map(|row| &row[..length]);
    let x = &x[..length * B::STEPS * B::GROUPS];
    // Memory is slow to answer: while these rows are computed, the next ones are asked for.
    let ahead = 16 * length * size_of::<B>();
    let mut sums = simd.load(&[0.0; 16]);
    for (block, _) in weight[0].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        let scales = B::scales(simd, blocks);
        for step in 0..B::STEPS {
            // Some of them with every step: memory takes only so many requests at once.
            let some = 16 / B::STEPS;
            for lane in 0..some {
                simd.fetch(blocks[step * some + lane].as_ref(), ahead);
            }
            let first = (block * B::STEPS + step) * B::GROUPS;
            B::add(simd, blocks, &scales, step, &x[first..first + B::GROUPS], &mut sums);
        }
    }
    sums
}

/// Sixteen outputs to their places, as far as there are any. out: [rows, columns]
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
