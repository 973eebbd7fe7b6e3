use std::array::from_fn;

use bytemuck::bytes_of;
use ndarray::{ArrayView2, ArrayViewMut2};

#[cfg(target_arch = "x86_64")]
use super::in_tiles::{PANELS_NEEDED, TILE_ROWS, in_tiles};
use super::packed_gemm::{PANELS, packed_gemm};
use super::quant_block::{QuantBlock, sixteen_from, write};
use super::rounded::{Group, Rounded};
#[cfg(target_arch = "x86_64")]
use crate::simd::Amx;
use crate::simd::Unpacked;
use crate::simd::{Kernel, Simd};

/// x times weight transposed. x: [rows, inner], weight: [columns, blocks], out: [rows, columns]
pub struct PackedProduct<'a, B> {
    pub x: &'a Rounded,
    pub weight: ArrayView2<'a, B>,
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [Unpacked], // as much as `scratch_len` says, with anything in it
}

impl<B: QuantBlock> PackedProduct<'_, B> {
    /// How many unpacked groups a product with so many rows of x needs room for.
    pub fn scratch_len(rows: usize, blocks: usize) -> usize {
        panels_of(rows) * blocks * B::STEPS * B::GROUPS_PER_STEP
    }
}

/// How many panels there must be room for.
fn panels_of(rows: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    if rows >= TILE_ROWS && Amx::detect().is_ok() {
        return PANELS_NEEDED; // as a backend without tiles may have it, too: it needs less
    }
    if rows > 1 { PANELS } else { 0 }
}

/// How many registers a CPU must have for the large tiles.
const MANY: usize = 32;

impl<B: QuantBlock> Kernel for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackedProduct { x, weight, out, scratch } = self;
        if out.nrows() == 1 {
            return one_row(simd, x, weight, out);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(tiles) = simd.tiles().filter(|_| out.nrows() >= TILE_ROWS) {
            return in_tiles(tiles, x, weight, out, scratch);
        }
        let most = scratch.len().min(PANELS * weight.ncols() * B::STEPS * B::GROUPS_PER_STEP);
        let scratch = &mut scratch[..most];
        // The fastest of the tiles that we tried.
        if S::REGISTER_SETS < MANY {
            packed_gemm::<S, B, 2, 2>(simd, x, weight, out, scratch);
        } else if B::HALVES {
            packed_gemm::<S, B, 3, 4>(simd, x, weight, out, scratch);
        } else {
            packed_gemm::<S, B, 4, 4>(simd, x, weight, out, scratch);
        }
    }
}

/// A lone row: every weight is used once, straight from the file.
#[inline(always)]
fn one_row<S: Simd, B: QuantBlock>(
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

/// Sixteen outputs of a row.
#[inline(always)]
fn sums<S: Simd, B: QuantBlock>(simd: S, x: &[Group], weight: [&[B]; 16]) -> S::Lanes {
    let length = weight[0].len();
    let weight = weight.map(|row| &row[..length]);
    let x = &x[..length * B::STEPS * B::GROUPS_PER_STEP];
    // Prefetches the next rows while these are computed: memory is slow to answer.
    let ahead = 16 * length * size_of::<B>();
    let mut sums = simd.load(&[0.0; 16]);
    for (block, _) in weight[0].iter().enumerate() {
        let blocks = from_fn(|lane| &weight[lane][block]);
        let scales = B::scales(simd, blocks);
        for step in 0..B::STEPS {
            // A few with every step, because memory accepts only so many requests at once.
            let some = 16 / B::STEPS;
            for lane in 0..some {
                simd.fetch(bytes_of(blocks[step * some + lane]), ahead);
            }
            let first = (block * B::STEPS + step) * B::GROUPS_PER_STEP;
            let x = &x[first..first + B::GROUPS_PER_STEP];
            B::add(simd, blocks, &scales, step, x, &mut sums);
        }
    }
    sums
}
