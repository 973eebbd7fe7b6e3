use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::number::Number;
use super::rows::{Padded, row_of};
use super::tile::tile;
use crate::simd::Simd;

/// Many rows of x: every number that is loaded serves a whole tile of `M` times `N` outputs.
#[inline(always)]
pub fn tiles<S: Simd, W: Number, const M: usize, const N: usize>(
    simd: S,
    x: &Padded,
    weight: ArrayView2<W>,
    mut out: ArrayViewMut2<f32>,
) {
    let (rows, columns) = out.dim();
    for first_column in (0..columns).step_by(N) {
        // Past an edge the last row is taken once more, and its sums have no place to go.
        let weights: [&[W]; N] =
            from_fn(|n| row_of(weight, (first_column + n).min(columns - 1)));
        for first_row in (0..rows).step_by(M) {
            let x_rows: [&[f32]; M] = from_fn(|m| x.row((first_row + m).min(rows - 1)));
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
