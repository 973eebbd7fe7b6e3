use std::array::from_fn;

use bytemuck::{cast, cast_mut};
use ndarray::ArrayViewMut2;

use super::packed_gemm::unpack;
use super::packed_weight::PackedWeight;
use super::quant_block::{QuantBlock, write};
use super::rounded::{Group, Rounded};
use crate::simd::Unpacked;
use crate::simd::{Amx, Avx512, Simd};

/// How many rows of x a tile has. With fewer, most of it would be empty.
pub const TILE_ROWS: usize = 16;

/// How many panels stay close to the core while all rows of x pass by.
const PANELS: usize = 16;

/// How many panels there must be room for: these, and sixteen rows of x.
pub const PANELS_NEEDED: usize = PANELS + 1;

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
    let mut sums = [[[0.0; 16]; TILE_ROWS]; PANELS];
    let tiles = amx.tiles(W::Block::HALVES);
    for start in (0..columns).step_by(16 * PANELS) {
        let count = (columns - start).div_ceil(16).min(PANELS);
        let panels = &mut scratch[..count * groups];
        for (panel, first) in panels.chunks_exact_mut(groups).zip((start..).step_by(16)) {
            unpack::<_, W::Block>(simd, weight.sixteen_from(first), panel);
        }
        for first_row in (0..rows).step_by(TILE_ROWS) {
            // Past an edge the last row is taken once more, and its sums have no place to go.
            gather(from_fn(|m| x.row((first_row + m).min(rows - 1))), sixteen_rows);
            tiles.multiply(W::Block::MINIMA, sixteen_rows, panels, &mut sums);
            for (panel, sums) in sums[..count].iter().enumerate() {
                for (row, sums) in (first_row..rows).zip(sums) {
                    write(simd, simd.load(sums), &mut out, row, start + 16 * panel);
                }
            }
        }
    }
}

/// Sixteen rows of x as a tile wants them: in each group the integers of a row after those of another, then their scales
/// side by side.
#[inline(always)]
fn gather(rows: [&[Group]; TILE_ROWS], to: &mut [Unpacked]) {
    let rows = rows.map(|row| &row[..to.len()]);
    for (group, to) in to.iter_mut().enumerate() {
        let ints: &mut [[u8; 32]; TILE_ROWS] = cast_mut(&mut to.ints);
        for (row, ints) in ints.iter_mut().enumerate() {
            let of_row = &rows[row][group];
            *ints = cast(of_row.ints);
            to.factors[0][row] = of_row.scale;
            to.factors[1][row] = of_row.minus_sum;
        }
    }
}
