use std::cell::OnceCell;

use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::compute::ComputeContext;
use crate::kernels::{
    Aligned, Number, PackedProduct, Panels, Product, Q4_0, Q4_1, Q4K, Q5_0, Q5K, Q6K, Q8_0,
    QuantBlock, RepackedProduct, Round, Rounded, TILE_ROWS, copy_padded,
};
use crate::profile::{Cost, timed};
use crate::simd::Unpacked;
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
    let products = weights.map(|weight| {
        assert_eq!(inner, weight.dim().1, "rows of x and of the weight differ in length");
        of_matrix(compute, x, weight, &in_numbers, &in_groups)
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
    if let Some(rounded) = in_groups.into_inner() {
        let (groups, tiles) = rounded.into_parts();
        compute.groups.put_many(groups);
        compute.unpacked.put_many(tiles);
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
    let scratch = compute.groups.take_many(Rounded::scratch_len(x.nrows(), x.ncols()));
    let mut rounded = Rounded::within(scratch, x.ncols());
    let rows = compute.chunk_len(x.nrows(), 8 * x.ncols());
    let chunks = rounded.chunks_mut(rows).zip(x.axis_chunks_iter(Axis(0), rows));
    compute.par_for(chunks, |(out, x)| compute.backend.run(Round { x, out }));
    if !compute.backend.has_tiles() || x.nrows() < TILE_ROWS {
        return rounded;
    }
    let mut tiles = compute.unpacked.take_many(rounded.tiles_len());
    let sixteens = tiles.chunks_mut((x.ncols() / 32).max(1)).enumerate();
    compute.par_for(sixteens, |(sixteen, to)| rounded.gather(sixteen, to));
    rounded.with_tiles(tiles)
}

/// The columns of a product, from a number on: as many as there is room for. out: [rows, columns]
type Columns<'a> = Box<dyn Fn(usize, ArrayViewMut2<f32>) + Sync + 'a>;

/// With any weights. A function of its own, because `matmul` is compiled anew wherever it's called.
fn of_matrix<'a>(
    compute: &'a ComputeContext,
    x: ArrayView2<f32>,
    weight: &'a Matrix,
    in_numbers: &'a OnceCell<Aligned>,
    in_groups: &'a OnceCell<Rounded>,
) -> Columns<'a> {
    let numbers = || in_numbers.get_or_init(|| aligned(compute, x));
    let groups = || in_groups.get_or_init(|| rounded(compute, x));
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
        Packed(_, Blocks::Q4_1(blocks)) => of_blocks(compute, groups(), blocks.view()),
        Repacked(_, panels) if panels.of_five_bits => {
            of_panels::<Q5_0>(compute, groups(), panels.view())
        }
        Repacked(tensor, panels) => match tensor.stored {
            StoredType::Q8_0 => of_panels::<Q8_0>(compute, groups(), panels.view()),
            StoredType::Q4_0 => of_panels::<Q4_0>(compute, groups(), panels.view()),
            StoredType::Q4_K => of_panels::<Q4K>(compute, groups(), panels.view()),
            StoredType::Q5_K => of_panels::<Q5K>(compute, groups(), panels.view()),
            StoredType::Q6_K => of_panels::<Q6K>(compute, groups(), panels.view()),
            StoredType::Q4_1 => of_panels::<Q4_1>(compute, groups(), panels.view()),
            other => unreachable!("{} has no blocks", other.name()),
        },
    }
}

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
        with_scratch::<B>(compute, out.nrows(), weight.ncols(), |scratch| {
            let weight = weight.slice(s![first..first + out.ncols(), ..]);
            compute.backend.run(PackedProduct { x, weight, out, scratch });
        });
    })
}

/// With weights that have been repacked.
fn of_panels<'a, B: QuantBlock>(
    compute: &'a ComputeContext,
    x: &'a Rounded,
    weight: Panels<'a, B>,
) -> Columns<'a> {
    Box::new(move |first, out| {
        with_scratch::<B>(compute, out.nrows(), weight.blocks, |scratch| {
            let weight = weight.skip(first);
            compute.backend.run(RepackedProduct { x, weight, out, scratch });
        });
    })
}

/// Lends the memory in which a product with so many rows of x unpacks weights.
fn with_scratch<B: QuantBlock>(
    compute: &ComputeContext,
    rows: usize,
    blocks: usize,
    product: impl FnOnce(&mut [Unpacked]),
) {
    let length = PackedProduct::<B>::scratch_len(rows, blocks);
    let mut scratch = compute.unpacked.take_many(length);
    product(&mut scratch);
    compute.unpacked.put_many(scratch);
}
