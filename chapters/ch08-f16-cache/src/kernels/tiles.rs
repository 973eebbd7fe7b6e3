use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2, Axis};

use super::number::Number;
use super::rows::{Aligned, row_of};
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
        for first_row in (0..rows).step_by(M) {
            // Past an edge the last row is taken once more, and its sums have no place to go.
            let x_rows: [&[f32]; M] = from_fn(|m| x.row((first_row + m).min(rows - 1)));
            for first_column in (0..columns).step_by(N) {
                let weights: [&[f32]; N] =
                    from_fn(|n| block.row((first_column + n).min(columns - 1)));
                let sums = tile(simd, x_rows, weights);
                for (m, sums) in sums.into_iter().enumerate() {
                    for (n, sum) in sums.into_iter().enumerate() {
                        if let Some(out) = out.get_mut([first_row + m, first_column + n]) {
                            *out = sum;
                        }
                    }
                }
            }
        }
    }
}
