use std::array::from_fn;

use ndarray::ArrayView2;

use super::number::Number;
use super::rows::row_of;
use super::tile::tile;
use crate::simd::Simd;

/// A product of a lone row. x: [inner], weight: [columns, inner], out: [columns]
pub struct Gemv<'a, W> {
    pub x: &'a [f32],
    pub weight: ArrayView2<'a, W>,
    pub out: &'a mut [f32],
}

/// Products of lone rows: all that matters is how fast the weights come from memory. Rows far from
/// each other keep more of the memory busy than neighbours do. All weights have the same number of rows.
#[inline(always)]
pub fn gemv<'a, S: Simd, W: Number + 'a, const N: usize>(
    simd: S,
    columns: usize,
    products: impl Iterator<Item = Gemv<'a, W>>,
) {
    if columns == 0 {
        return;
    }
    let distance = columns.div_ceil(N);
    let mut products: Vec<_> = products
        .map(|Gemv { x, weight, out }| {
            let mut parts = out.chunks_mut(distance);
            let out: [&mut [f32]; N] = from_fn(|_| parts.next().unwrap_or_default());
            (x, weight, out)
        })
        .collect();
    for step in 0..distance {
        // Past the end the last row is taken once more, and its sum has no place to go.
        let rows: [usize; N] = from_fn(|n| (n * distance + step).min(columns - 1));
        for (x, weight, out) in &mut products {
            let [sums] = tile(simd, [*x], rows.map(|row| row_of(*weight, row)));
            for (out, sum) in out.iter_mut().zip(sums) {
                if let Some(out) = out.get_mut(step) {
                    *out = sum;
                }
            }
        }
    }
}
