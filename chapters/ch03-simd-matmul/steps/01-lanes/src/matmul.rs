use ndarray::{Array2, ArrayView2, Axis};

use crate::profile::{Cost, timed};
use crate::simd::dot;

/// Multiplies like `matmul`, and notes in the profile under `name` how long it took.
pub fn timed_matmul(
    name: &'static str,
    x: ArrayView2<f32>,
    weight: ArrayView2<f32>,
) -> Array2<f32> {
    let cost = Cost::matmul(x.nrows(), weight.len(), weight.len() * size_of::<f32>());
    timed(name, cost, || matmul(x, weight))
}

/// Multiplies every row of `x` with every row of `weight`: x times weight transposed.
/// x: [rows, inner], weight: [columns, inner] -> [rows, columns]
pub fn matmul(x: ArrayView2<f32>, weight: ArrayView2<f32>) -> Array2<f32> {
    Array2::from_shape_fn((x.nrows(), weight.nrows()), |(row, column)| {
        dot(row_of(x, row), row_of(weight, column))
    })
}

/// One row as a slice. x: [rows, width] -> [width]
pub fn row_of(x: ArrayView2<'_, f32>, row: usize) -> &[f32] {
    x.index_axis_move(Axis(0), row).to_slice().expect("a row lies in one piece")
}
