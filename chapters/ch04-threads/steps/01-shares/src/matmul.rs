use ndarray::{Array2, ArrayView2, Axis};

use crate::backend::Backend;
use crate::compute::ComputeContext;
use crate::kernels::{Aligned, Number, Product};
use crate::profile::{Cost, timed};
use crate::weights::Matrix;

/// Multiplies like `matmul`, and notes in the profile under `name` how long it took.
pub fn timed_matmul(
    name: &'static str,
    compute: &ComputeContext,
    x: ArrayView2<f32>,
    weight: &Matrix,
) -> Array2<f32> {
    let cost = Cost::matmul(x.nrows(), weight.numbers(), weight.bytes());
    timed(name, cost, || matmul(compute, x, weight))
}

/// Multiplies every row of `x` with every row of `weight`: x times weight transposed.
/// x: [rows, inner], weight: [columns, inner] -> [rows, columns]
pub fn matmul(compute: &ComputeContext, x: ArrayView2<f32>, weight: &Matrix) -> Array2<f32> {
    match weight {
        Matrix::F32(weight) => shared_product(compute, x, weight.view()),
        Matrix::F16(weight) => shared_product(compute, x, weight.view()),
        Matrix::BF16(weight) => shared_product(compute, x, weight.view()),
    }
}

/// The same for numbers of one type, which the threads share. x: [rows, inner], weight: [columns, inner]
fn shared_product<W: Number>(
    compute: &ComputeContext,
    x: ArrayView2<f32>,
    weight: ArrayView2<W>,
) -> Array2<f32> {
    assert_eq!(x.ncols(), weight.ncols(), "rows of x and of the weight differ in length");
    let mut out = Array2::zeros((x.nrows(), weight.nrows()));
    let x = Aligned::copy(x);
    let columns = compute.chunk_len(weight.nrows());
    let outs = out.axis_chunks_iter_mut(Axis(1), columns);
    compute.par_for(outs.zip(weight.axis_chunks_iter(Axis(0), columns)), |(out, weight)| {
        compute.backend.run(Product { x: &x, weight, out });
    });
    out
}

/// A product that this thread computes alone. x: [rows, inner], weight: [columns, inner]
pub fn product<W: Number>(
    backend: Backend,
    x: ArrayView2<f32>,
    weight: ArrayView2<W>,
) -> Array2<f32> {
    assert_eq!(x.ncols(), weight.ncols(), "rows of x and of the weight differ in length");
    let mut out = Array2::zeros((x.nrows(), weight.nrows()));
    backend.run(Product { x: &Aligned::copy(x), weight, out: out.view_mut() });
    out
}
