use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::backend::Backend;
use crate::compute::ComputeContext;
use crate::kernels::{Aligned, Number, Product, copy_padded};
use crate::profile::{Cost, timed};
use crate::weights::Matrix;

/// Multiplies like `matmul`, and notes in the profile under `name` how long it took.
pub fn timed_matmul<const N: usize>(
    name: &'static str,
    compute: &ComputeContext,
    x: ArrayView2<f32>,
    weights: [&Matrix; N],
) -> [Array2<f32>; N] {
    let numbers = weights.iter().map(|weight| weight.numbers()).sum();
    let bytes = weights.iter().map(|weight| weight.bytes()).sum();
    timed(name, Cost::matmul(x.nrows(), numbers, bytes), || matmul(compute, x, weights))
}

/// Multiplies every row of `x` with every row of each weight: x times weight transposed.
/// x: [rows, inner], weights: each [columns, inner] -> each [rows, columns]
pub fn matmul<const N: usize>(
    compute: &ComputeContext,
    x: ArrayView2<f32>,
    weights: [&Matrix; N],
) -> [Array2<f32>; N] {
    let (rows, inner) = x.dim();
    let mut aligned = Aligned::new(rows, inner);
    compute.par_rows(aligned.view_mut(), |these, to| {
        copy_padded(x.slice(s![these, ..]), to);
    });
    let mut outs = weights.map(|weight| Array2::zeros((rows, weight.dim().0)));
    let chunks = outs.iter_mut().zip(weights).flat_map(|(out, weight)| {
        let columns = weight.dim().0;
        assert_eq!(inner, weight.dim().1, "rows of x and of the weight differ in length");
        let length = compute.chunk_len(columns, rows * inner);
        let chunks = out.axis_chunks_iter_mut(Axis(1), length).enumerate();
        chunks.map(move |(chunk, out)| (weight, chunk * length, out))
    });
    compute.par_for(chunks, |(weight, first, out)| match weight {
        Matrix::F32(weight) => chunk(compute.backend, &aligned, weight.view(), first, out),
        Matrix::F16(weight) => chunk(compute.backend, &aligned, weight.view(), first, out),
        Matrix::BF16(weight) => chunk(compute.backend, &aligned, weight.view(), first, out),
    });
    outs
}

/// Some columns of a product, from `first` on. weight: [all columns, inner], out: [rows, columns]
fn chunk<W: Number>(
    backend: Backend,
    x: &Aligned,
    weight: ArrayView2<W>,
    first: usize,
    out: ArrayViewMut2<f32>,
) {
    let weight = weight.slice_move(s![first..first + out.ncols(), ..]);
    backend.run(Product { x, weight, out });
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
