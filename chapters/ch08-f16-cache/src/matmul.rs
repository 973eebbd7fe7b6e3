use std::cell::OnceCell;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::kernels::{
    Aligned, Block, Number, PackedProduct, Product, Round, Rounded, copy_padded,
};
use crate::profile::{Cost, timed};
use crate::team::Team;
use crate::weights::{Blocks, Matrix};

/// Multiplies like `matmul`, and notes in the profile under `name` how long it took.
pub fn timed_matmul<const N: usize>(
    name: &'static str,
    team: &Team,
    x: ArrayView2<f32>,
    weights: [&Matrix; N],
) -> [Array2<f32>; N] {
    timed(name, Cost::matmul(x.nrows(), &weights), || matmul(team, x, weights))
}

/// Multiplies every row of `x` with every row of each weight: x times weight transposed.
/// x: [rows, inner], weights: each [columns, inner] -> each [rows, columns]
pub fn matmul<const N: usize>(
    team: &Team,
    x: ArrayView2<f32>,
    weights: [&Matrix; N],
) -> [Array2<f32>; N] {
    let (rows, inner) = x.dim();
    // Rows of x as the weights want them: aligned numbers, rounded ones, or both.
    let (in_numbers, in_groups) = (OnceCell::new(), OnceCell::new());
    let products = weights.map(|weight| {
        assert_eq!(inner, weight.dim().1, "rows of x and of the weight differ in length");
        of_matrix(team, x, weight, &in_numbers, &in_groups)
    });
    let mut outs = weights.map(|weight| team.shelf.take((rows, weight.dim().0)));
    let pieces = outs.iter_mut().zip(&products).flat_map(|(out, product)| {
        // Whole tiles: the widest has four panels of sixteen columns.
        let length = team.piece(out.ncols(), rows * inner).next_multiple_of(64);
        let pieces = out.axis_chunks_iter_mut(Axis(1), length).enumerate();
        pieces.map(move |(piece, out)| (product, piece * length, out))
    });
    team.share(pieces, |(product, first, out)| product(first, out));
    drop(products);
    if let Some(aligned) = in_numbers.into_inner() {
        team.shelf.put_many(aligned.into_numbers());
    }
    if let Some(rounded) = in_groups.into_inner() {
        team.groups.put_many(rounded.into_groups());
    }
    outs
}

fn aligned(team: &Team, x: ArrayView2<f32>) -> Aligned {
    let (rows, inner) = x.dim();
    let room = team.shelf.take_many(Aligned::room(rows, inner));
    let mut aligned = Aligned::within(room, rows, inner);
    team.share_rows(aligned.view_mut(), |these, to| {
        copy_padded(x.slice(s![these, ..]), to);
    });
    aligned
}

fn rounded(team: &Team, x: ArrayView2<f32>) -> Rounded {
    let room = team.groups.take_many(Rounded::room(x.nrows(), x.ncols()));
    let mut rounded = Rounded::within(room, x.ncols());
    let rows = team.piece(x.nrows(), 8 * x.ncols());
    let pieces = rounded.pieces_mut(rows).zip(x.axis_chunks_iter(Axis(0), rows));
    team.share(pieces, |(out, x)| team.backend.run(Round { x, out }));
    rounded
}

/// The columns of a product, from a number on: as many as there is room for. out: [rows, columns]
type Columns<'a> = Box<dyn Fn(usize, ArrayViewMut2<f32>) + Sync + 'a>;

/// With any weights. A function of its own, because `matmul` is compiled anew wherever it's called.
fn of_matrix<'a>(
    team: &'a Team,
    x: ArrayView2<f32>,
    weight: &'a Matrix,
    in_numbers: &'a OnceCell<Aligned>,
    in_groups: &'a OnceCell<Rounded>,
) -> Columns<'a> {
    let numbers = || in_numbers.get_or_init(|| aligned(team, x));
    let groups = || in_groups.get_or_init(|| rounded(team, x));
    use Matrix::*;
    match weight {
        F32(weight) => of_numbers(team, numbers(), weight.view()),
        F16(weight) => of_numbers(team, numbers(), weight.view()),
        BF16(weight) => of_numbers(team, numbers(), weight.view()),
        Packed(_, Blocks::Q8_0(blocks)) => of_blocks(team, groups(), blocks.view()),
        Packed(_, Blocks::Q4_0(blocks)) => of_blocks(team, groups(), blocks.view()),
        Packed(_, Blocks::Q4K(blocks)) => of_blocks(team, groups(), blocks.view()),
        Packed(_, Blocks::Q5K(blocks)) => of_blocks(team, groups(), blocks.view()),
        Packed(_, Blocks::Q6K(blocks)) => of_blocks(team, groups(), blocks.view()),
    }
}

/// With weights that are numbers. weight: [all columns, inner]
fn of_numbers<'a, W: Number>(
    team: &'a Team,
    x: &'a Aligned,
    weight: ArrayView2<'a, W>,
) -> Columns<'a> {
    Box::new(move |first, out| {
        let weight = weight.slice(s![first..first + out.ncols(), ..]);
        team.backend.run(Product { x, weight, out });
    })
}

/// With weights in blocks. weight: [all columns, blocks]
fn of_blocks<'a, B: Block>(
    team: &'a Team,
    x: &'a Rounded,
    weight: ArrayView2<'a, B>,
) -> Columns<'a> {
    Box::new(move |first, out| {
        let room = PackedProduct::<B>::room(out.nrows(), weight.ncols());
        let mut room = team.unpacked.take_many(room);
        let weight = weight.slice(s![first..first + out.ncols(), ..]);
        team.backend.run(PackedProduct { x, weight, out, room: &mut room });
        team.unpacked.put_many(room);
    })
}
