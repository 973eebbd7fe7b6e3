use ndarray::{Array2, ArrayView2, Axis};

use crate::backend::Backend;
use crate::kernels::{Dot, Product};
use crate::profile::{Cost, timed};

/// Multiplies like `matmul`, and notes in the profile under `name` how long it took.
pub fn timed_matmul(
    name: &'static str,
    backend: Backend,
    x: ArrayView2<f32>,
    weight: ArrayView2<f32>,
) -> Array2<f32> {
    let cost = Cost::matmul(x.nrows(), weight.len(), weight.len() * size_of::<f32>());
    timed(name, cost, || matmul(backend, x, weight))
}

/// Multiplies every row of `x` with every row of `weight`: x times weight transposed.
/// x: [rows, inner], weight: [columns, inner] -> [rows, columns]
pub fn matmul(backend: Backend, x: ArrayView2<f32>, weight: ArrayView2<f32>) -> Array2<f32> {
    assert_eq!(x.ncols(), weight.ncols(), "rows of x and of the weight differ in length");
    let mut out = Array2::zeros((x.nrows(), weight.nrows()));
    backend.run(Product { x, weight, out: out.view_mut() });
    out
}

/// The sum of the products of two vectors.
pub fn dot(backend: Backend, a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "two vectors of different lengths have no dot product");
    let mut sum = 0.0;
    backend.run(Dot { a, b, out: &mut sum });
    sum
}

/// One row as a slice. x: [rows, width] -> [width]
#[inline(always)]
pub fn row_of(x: ArrayView2<'_, f32>, row: usize) -> &[f32] {
    x.index_axis_move(Axis(0), row).to_slice().expect("a row lies in one piece")
}
