use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2, Axis};

use super::number::Number;
use super::rows::{Aligned, row_of, rows_mut};
use super::tile::tile;
use crate::simd::Simd;

/// How many rows of the weight stay close to the core while all rows of x pass by.
const BLOCK: usize = 48;

/// Many rows of x: every number that is loaded serves a whole tile of `M` times `N` outputs.
#[inline(always)]
pub fn tiles<S: Simd, W: Number, const M: usize, const N: usize>(
    simd: S,
    x: &Aligned,
    weight: ArrayView2<W>,
    mut out: ArrayViewMut2<f32>,
) {
    let rows = out.nrows();
    let mut block = Aligned::new(BLOCK.min(weight.nrows()), weight.ncols());
    let starts = (0..weight.nrows()).step_by(BLOCK);
    for (start, mut out) in starts.zip(out.axis_chunks_iter_mut(Axis(1), BLOCK)) {
        let columns = out.ncols();
        for column in 0..columns {
            block.set_row(simd, column, row_of(weight, start + column));
        }
        let mut out = rows_mut(&mut out);
        for first_row in (0..rows).step_by(M) {
            // Beyond the edge a tile has copies of the last row; their sums have no place to go.
            let x_rows: [&[f32]; M] = from_fn(|m| x.row((first_row + m).min(rows - 1)));
            let mut out: [&mut [f32]; M] = from_fn(|_| out.next().unwrap_or_default());
            for first_column in (0..columns).step_by(N) {
                let weights: [&[f32]; N] =
                    from_fn(|n| block.row((first_column + n).min(columns - 1)));
                let sums = tile(simd, x_rows, weights);
                for (out, sums) in out.iter_mut().zip(sums) {
                    for (out, sum) in out.iter_mut().skip(first_column).zip(sums) {
                        *out = sum;
                    }
                }
            }
        }
    }
}
