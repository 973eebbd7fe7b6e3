use std::cell::OnceCell;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::backend::Backend;
use crate::compute::ComputeContext;
use crate::kernels::{
    Aligned, Number, PackedProduct, Product, QuantBlock, Round, Rounded, copy_padded,
};
use crate::profile::{Cost, timed};
use crate::weights::{Blocks, Matrix};

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
    // Rows of x as the weights want them: aligned numbers, rounded ones, or both.
    let (in_numbers, in_groups) = (OnceCell::new(), OnceCell::new());
    let numbers = || in_numbers.get_or_init(|| aligned(compute, x));
    let groups = || in_groups.get_or_init(|| rounded(compute, x));
    let products = weights.map(|weight| {
        assert_eq!(inner, weight.dim().1, "rows of x and of the weight differ in length");
        use Matrix::*;
        match weight {
            F32(weight) => of_numbers(compute, numbers(), weight.view()),
            F16(weight) => of_numbers(compute, numbers(), weight.view()),
            BF16(weight) => of_numbers(compute, numbers(), weight.view()),
            Packed(_, Blocks::Q8_0(blocks)) => of_blocks(compute, groups(), blocks.view()),
            Packed(_, Blocks::Q4_0(blocks)) => of_blocks(compute, groups(), blocks.view()),
            Packed(_, Blocks::Q4K(blocks)) => of_blocks(compute, groups(), blocks.view()),
            Packed(_, Blocks::Q5K(blocks)) => of_blocks(compute, groups(), blocks.view()),
            Packed(_, Blocks::Q6K(blocks)) => of_blocks(compute, groups(), blocks.view()),
        }
    });
    let mut outs = weights.map(|weight| compute.buffers.take((rows, weight.dim().0)));
    let chunks = outs.iter_mut().zip(&products).flat_map(|(out, product)| {
        // Whole tiles: the widest has four panels of sixteen columns.
        let length = compute.chunk_len(out.ncols(), rows * inner).next_multiple_of(64);
        let chunks = out.axis_chunks_iter_mut(Axis(1), length).enumerate();
        chunks.map(move |(chunk, out)| (product, chunk * length, out))
    });
    compute.par_for(chunks, |(product, first, out)| product(first, out));
    drop(products);
    if let Some(aligned) = in_numbers.into_inner() {
        compute.buffers.put_many(aligned.into_numbers());
    }
    outs
}

fn aligned(compute: &ComputeContext, x: ArrayView2<f32>) -> Aligned {
    let (rows, inner) = x.dim();
    let scratch = compute.buffers.take_many(Aligned::scratch_len(rows, inner));
    let mut aligned = Aligned::within(scratch, rows, inner);
    compute.par_rows(aligned.view_mut(), |these, to| {
        copy_padded(x.slice(s![these, ..]), to);
    });
    aligned
}

fn rounded(compute: &ComputeContext, x: ArrayView2<f32>) -> Rounded {
    let mut rounded = Rounded::new(x.nrows(), x.ncols());
    let rows = compute.chunk_len(x.nrows(), 8 * x.ncols());
    let chunks = rounded.chunks_mut(rows).zip(x.axis_chunks_iter(Axis(0), rows));
    compute.par_for(chunks, |(out, x)| compute.backend.run(Round { x, out }));
    rounded
}

/// The columns of a product, from a number on: as many as there is room for. out: [rows, columns]
type Columns<'a> = Box<dyn Fn(usize, ArrayViewMut2<f32>) + Sync + 'a>;

/// With weights that are numbers. weight: [all columns, inner]
fn of_numbers<'a, W: Number>(
    compute: &'a ComputeContext,
    x: &'a Aligned,
    weight: ArrayView2<'a, W>,
) -> Columns<'a> {
    Box::new(move |first, out| {
        let weight = weight.slice(s![first..first + out.ncols(), ..]);
        compute.backend.run(Product { x, weight, out });
    })
}

/// With weights in blocks. weight: [all columns, blocks]
fn of_blocks<'a, B: QuantBlock>(
    compute: &'a ComputeContext,
    x: &'a Rounded,
    weight: ArrayView2<'a, B>,
) -> Columns<'a> {
    Box::new(move |first, out| {
        let scratch = PackedProduct::<B>::scratch_len(out.nrows(), weight.ncols());
        let mut scratch = compute.unpacked.take_many(scratch);
        let weight = weight.slice(s![first..first + out.ncols(), ..]);
        compute.backend.run(PackedProduct { x, weight, out, scratch: &mut scratch });
        compute.unpacked.put_many(scratch);
    })
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
