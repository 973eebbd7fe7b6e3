use std::array::from_fn;

use ndarray::ArrayView2;

use super::number::Number;
use super::rows::row_of;
use super::tile::tile;
use crate::simd::Simd;

/// The product of a lone row of x: all that matters is how fast the weights come from memory. Rows
/// far from each other keep more of the memory busy than neighbours do.
/// x: [inner], weight: [columns, inner], out: [columns]
#[inline(always)]
pub fn gemv<S: Simd, W: Number, const N: usize>(
    simd: S,
    x: &[f32],
    weight: ArrayView2<W>,
    out: &mut [f32],
) {
    let columns = weight.nrows();
    if columns == 0 {
        return;
    }
    let distance = columns.div_ceil(N);
    let mut parts = out.chunks_mut(distance);
    let mut out: [&mut [f32]; N] = from_fn(|_| parts.next().unwrap_or_default());
    for step in 0..distance {
        // Past the end the last row is taken once more, and its sum has no place to go.
        let rows: [usize; N] = from_fn(|n| (n * distance + step).min(columns - 1));
        let [sums] = tile(simd, [x], rows.map(|row| row_of(weight, row)));
        for (out, sum) in out.iter_mut().zip(sums) {
            if let Some(out) = out.get_mut(step) {
                *out = sum;
            }
        }
    }
}
