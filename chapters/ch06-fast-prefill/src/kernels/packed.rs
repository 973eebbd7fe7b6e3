use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::panel::{Integers, Panel, Sixteen, panels};
use super::rounded::{Group, Rounded};
use crate::simd::{Job, Simd};

/// Weights as the file packs them: one block.
pub trait Block: Copy + AsRef<[u8]> + Sync {
    /// A block is taken in this many steps, and a step takes this many times thirty-two weights.
    const STEPS: usize;
    const GROUPS: usize;

    /// All scales of sixteen blocks, in lanes: each lane has those of one block.
    type Scales<S: Simd>;

    fn scales<S: Simd>(simd: S, blocks: [&Self; 16]) -> Self::Scales<S>;

    /// Numbers of a group that its integers are multiplied with: one scale; two of them, one for each half;
    /// or a scale and a minimum.
    const FACTORS: usize = 1;
    const HALVES: bool = false;

    fn unpack<S: Simd>(
        simd: S,
        blocks: [&Self; 16],
        scales: &Self::Scales<S>,
        groups: &mut [Integers],
        factors: &mut [Sixteen],
    );

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

/// x times weight transposed. x: [rows, inner], weight: [columns, blocks], out: [rows, columns]
pub struct PackedProduct<'a, B> {
    pub x: &'a Rounded,
    pub weight: ArrayView2<'a, B>,
    pub out: ArrayViewMut2<'a, f32>,
}

/// How many rows of x share what is unpacked.
const TOGETHER: usize = 4;

/// How many panels are unpacked before x passes by.
const PANELS: usize = 8;

impl<B: Block> Job for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackedProduct { x, weight, mut out } = self;
        let rows = out.nrows();
        if rows == 1 {
            for first in (0..out.ncols()).step_by(16) {
                let blocks = sixteen_from(weight, first);
                // Memory is slow to answer: while these are computed, the next ones are asked for.
                let next = Some(16 * weight.ncols() * size_of::<B>());
                let sums = sums::<S, B, 1>(simd, [x.row(0)], blocks, next);
                write(simd, &mut out, 0, first, sums);
            }
            return;
        }
        many::<S, B, 6, 2>(simd, x, weight, out);
    }
}

#[inline(always)]
fn many<S: Simd, B: Block, const M: usize, const N: usize>(
    simd: S,
    x: &Rounded,
    weight: ArrayView2<B>,
    mut out: ArrayViewMut2<f32>,
) {
    let rows = out.nrows();
    let mut unpacked: Vec<Panel> = Vec::new();
    unpacked.resize_with(PANELS, || Panel::new::<B>(weight.ncols()));
    for start in (0..out.ncols()).step_by(16 * PANELS) {
        let count = (out.ncols() - start).div_ceil(16).min(PANELS);
        for (i, panel) in unpacked[..count].iter_mut().enumerate() {
            panel.fill(simd, sixteen_from(weight, start + 16 * i));
        }
        for row in (0..rows).step_by(M) {
            let x: [&[Group]; M] = from_fn(|m| x.row((row + m).min(rows - 1)));
            for first in (0..count).step_by(N) {
                let these: [&Panel; N] = from_fn(|n| &unpacked[(first + n).min(count - 1)]);
                let sums = panels::<S, B, M, N>(simd, x, these);
                for m in 0..M.min(rows - row) {
                    for n in 0..N.min(count - first) {
                        write(simd, &mut out, row + m, start + 16 * (first + n), [sums[m][n]]);
                    }
                }
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
    let x = x.map(|row| &row[..length * B::STEPS * B::GROUPS]);
    let mut sums = [simd.load(&[0.0; 16]); M];
    for (block, _) in weight[0].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        let scales = B::scales(simd, blocks);
        for step in 0..B::STEPS {
            if let Some(ahead) = ahead {
                // Some of them with every step: memory takes only so many requests at once.
                let some = 16 / B::STEPS;
                for lane in 0..some {
                    simd.fetch(blocks[step * some + lane].as_ref(), ahead);
                }
            }
            let first = (block * B::STEPS + step) * B::GROUPS;
            let x = from_fn(|m| &x[m][first..first + B::GROUPS]);
            B::add(simd, blocks, &scales, step, x, &mut sums);
        }
    }
    sums
}

/// Sixteen outputs of `M` rows to their places, as far as there are any. out: [rows, columns]
#[inline(always)]
fn write<S: Simd, const M: usize>(
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
