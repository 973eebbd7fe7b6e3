use ndarray::{ArrayView2, ArrayViewMut2};

#[cfg(target_arch = "x86_64")]
use super::in_tiles::{PANELS_NEEDED, in_tiles, pays};
use super::packed_gemm::{PANELS, packed_gemm};
use super::packed_weight::{PackedWeight, Panels, SixteenRows};
use super::quant_block::{QuantBlock, write};
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
        panels_of::<B>(rows) * blocks * B::STEPS * B::GROUPS_PER_STEP
    }
}

/// The same with weights that have been repacked.
pub struct RepackedProduct<'a, B: QuantBlock> {
    pub x: &'a Rounded,
    pub weight: Panels<'a, B>,
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [Unpacked],
}

/// How many panels there must be room for.
fn panels_of<B: QuantBlock>(rows: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    if pays::<B>(rows) && Amx::detect().is_ok() {
        return PANELS_NEEDED; // as a backend without tiles may have it, too: it needs less
    }
    if rows > 1 { PANELS } else { 0 }
}

/// How many registers a CPU must have for the large tiles.
const MANY: usize = 32;

impl<B: QuantBlock> Kernel for PackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        product(simd, self.x, self.weight, self.out, self.scratch);
    }
}

impl<B: QuantBlock> Kernel for RepackedProduct<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        product(simd, self.x, self.weight, self.out, self.scratch);
    }
}

#[inline(always)]
fn product<S: Simd, W: PackedWeight>(
    simd: S,
    x: &Rounded,
    weight: W,
    out: ArrayViewMut2<f32>,
    scratch: &mut [Unpacked],
) {
    if out.nrows() == 1 {
        return one_row(simd, x, weight, out);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(tiles) = simd.tiles().filter(|_| pays::<W::Block>(out.nrows())) {
        return in_tiles(tiles, x, weight, out, scratch);
    }
    let groups = weight.blocks() * W::Block::STEPS * W::Block::GROUPS_PER_STEP;
    let most = scratch.len().min(PANELS * groups);
    let scratch = &mut scratch[..most];
    // The fastest of the tiles that we tried.
    if S::REGISTER_SETS < MANY {
        packed_gemm::<S, W, 2, 2>(simd, x, weight, out, scratch);
    } else if W::Block::HALVES {
        packed_gemm::<S, W, 3, 4>(simd, x, weight, out, scratch);
    } else {
        packed_gemm::<S, W, 4, 4>(simd, x, weight, out, scratch);
    }
}

/// A lone row: every weight is used once, straight from memory.
#[inline(always)]
fn one_row<S: Simd, W: PackedWeight>(
    simd: S,
    x: &Rounded,
    weight: W,
    mut out: ArrayViewMut2<f32>,
) {
    for first in (0..out.ncols()).step_by(16) {
        let rows = weight.sixteen_from(first);
        let sums = sums::<S, W::Block>(simd, x.row(0), rows, weight.blocks());
        write(simd, sums, &mut out, 0, first);
    }
}

/// Sixteen outputs of a row.
#[inline(always)]
fn sums<S: Simd, B: QuantBlock>(
    simd: S,
    x: &[Group],
    rows: impl SixteenRows,
    blocks: usize,
) -> S::Lanes {
    let rows = rows.first(blocks);
    let x = &x[..blocks * B::STEPS * B::GROUPS_PER_STEP];
    let mut sums = simd.load(&[0.0; 16]);
    for index in 0..blocks {
        let block = rows.block(index);
        let scales = B::scales(simd, block);
        for step in 0..B::STEPS {
            rows.fetch(simd, index, step, B::STEPS);
            let first = (index * B::STEPS + step) * B::GROUPS_PER_STEP;
            let x = &x[first..first + B::GROUPS_PER_STEP];
            B::add(simd, block, &scales, step, x, &mut sums);
        }
    }
    sums
}
