use ndarray::{Array2, ArrayView2, Axis};

use crate::backend::Backend;
use crate::kernels::{Number, Product};
use crate::profile::{Cost, timed};
use crate::weights::Matrix;

/// The same product, with its time in the profile under `name`.
pub fn timed_matmul(
    name: &'static str,
    backend: Backend,
    x: ArrayView2<f32>,
    weight: &Matrix,
) -> Array2<f32> {
    timed(name, Cost::matmul(x.nrows(), weight), || matmul(backend, x, weight))
}

/// Multiplies every row of `x` with every row of `weight`: x times weight transposed.
/// x: [rows, inner], weight: [columns, inner] -> [rows, columns]
pub fn matmul(backend: Backend, x: ArrayView2<f32>, weight: &Matrix) -> Array2<f32> {
    match weight {
        Matrix::F32(weight) => product(backend, x, weight.view(), 1),
        Matrix::F16(weight) => product(backend, x, weight.view(), 1),
        Matrix::BF16(weight) => product(backend, x, weight.view(), 1),
    }
}

/// The same for numbers of one type, wherever they lie. The rows of `weight` may have several
/// parts, each for as many rows of `x`. x: [rows, inner], weight: [columns, parts * inner]
pub fn product<W: Number>(
    backend: Backend,
    x: ArrayView2<f32>,
    weight: ArrayView2<W>,
    parts: usize,
) -> Array2<f32> {
    assert_eq!(
        parts * x.ncols(),
        weight.ncols(),
        "rows of x and of the weight differ in length"
    );
    let mut out = Array2::zeros((x.nrows(), weight.nrows()));
    backend.run(Product { x, weight, parts, out: out.view_mut() });
    out
}

/// One row as a slice. x: [rows, width] -> [width]
pub fn row_of<T>(x: ArrayView2<'_, T>, row: usize) -> &[T] {
    x.index_axis_move(Axis(0), row).to_slice().expect("a row lies in one piece")
}
