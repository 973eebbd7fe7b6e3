use ndarray::ArrayViewMut2;

use super::packed_gemm::unpack;
use super::packed_weight::PackedWeight;
use super::quant_block::{QuantBlock, write};
use super::rounded::{Rounded, TILE_ROWS};
use crate::simd::Unpacked;
use crate::simd::{Amx, Avx512, Scalar};

/// How many panels stay close to the core while all rows of x pass by.
const PANELS: usize = 16;

/// How many panels there must be room for: these, and sixteen rows of x.
pub const PANELS_NEEDED: usize = PANELS + 1;

/// Whether tiles are faster: where at most a fifth of their rows stays empty, and where a group has one scale. With two,
/// each tile of totals is of half as many products.
pub fn pays<B: QuantBlock>(rows: usize) -> bool {
    !B::HALVES && rows >= TILE_ROWS && 4 * rows.next_multiple_of(TILE_ROWS) <= 5 * rows
}

/// Many rows of x, sixteen at a time, in tiles of the CPU's own.
#[inline(always)]
pub fn in_tiles<W: PackedWeight>(
    (amx, simd): (Amx, Avx512<false>),
    x: &Rounded,
    weight: W,
    mut out: ArrayViewMut2<f32>,
    scratch: &mut [Unpacked],
) {
    let (rows, columns) = out.dim();
    let groups = scratch.len() / PANELS_NEEDED;
    if groups == 0 {
        return out.fill(0.0);
    }
    let (sixteen_rows, scratch) = scratch.split_at_mut(groups);
    let tiles = amx.tiles();
    for start in (0..columns).step_by(16 * PANELS) {
        let count = (columns - start).div_ceil(16).min(PANELS);
        let panels = &mut scratch[..count * groups];
        for (panel, first) in panels.chunks_exact_mut(groups).zip((start..).step_by(16)) {
            unpack::<_, W::Block>(simd, weight.sixteen_from(first), panel);
        }
        for first_row in (0..rows).step_by(TILE_ROWS) {
            let x = match x.tiles(first_row / TILE_ROWS) {
                Some(tiles) => tiles,
                None => {
                    x.gather(first_row / TILE_ROWS, sixteen_rows);
                    &*sixteen_rows
                }
            };
            tiles.multiply(W::Block::MINIMA, x, panels, |panel, sums| {
                for (row, sums) in (first_row..rows).zip(sums) {
                    write(Scalar::detect(), sums, &mut out, row, start + 16 * panel);
                }
            });
        }
    }
}
