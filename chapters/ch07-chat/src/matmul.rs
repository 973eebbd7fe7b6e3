use ground::gguf::Tensor;
use ground::stored::StoredType;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::backend::Backend;
use crate::kernels::{
    Aligned, Block, Number, PackedProduct, Product, Round, Rounded, copy_padded,
};
use crate::profile::{Cost, timed};
use crate::team::Team;
use crate::weights::Matrix;

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
    let wants = |packed: bool| {
        weights.iter().any(|weight| matches!(weight, Matrix::Packed(_)) == packed)
    };
    let aligned = wants(false).then(|| aligned(team, x));
    let rounded = wants(true).then(|| rounded(team, x));
    let mut outs = weights.map(|weight| team.shelf.take((rows, weight.dim().0)));
    let pieces = outs.iter_mut().zip(weights).flat_map(|(out, weight)| {
        let columns = weight.dim().0;
        assert_eq!(inner, weight.dim().1, "rows of x and of the weight differ in length");
        // Of whole tiles, however many outputs one has.
        let length = team.piece(columns, rows * inner).next_multiple_of(64);
        let pieces = out.axis_chunks_iter_mut(Axis(1), length).enumerate();
        pieces.map(move |(piece, out)| (weight, piece * length, out))
    });
    team.share(pieces, |(weight, first, out)| match weight {
        Matrix::F32(weight) => piece(team.backend, &aligned, weight.view(), first, out),
        Matrix::F16(weight) => piece(team.backend, &aligned, weight.view(), first, out),
        Matrix::BF16(weight) => piece(team.backend, &aligned, weight.view(), first, out),
        Matrix::Packed(tensor) => {
            let x = rounded.as_ref().expect("x was rounded");
            match tensor.stored {
                StoredType::Q8_0 => packed::<34>(team, x, tensor, first, out),
                StoredType::Q4_0 => packed::<18>(team, x, tensor, first, out),
                StoredType::Q4_K => packed::<144>(team, x, tensor, first, out),
                StoredType::Q5_K => packed::<176>(team, x, tensor, first, out),
                StoredType::Q6_K => packed::<210>(team, x, tensor, first, out),
                other => unreachable!("{} has no blocks", other.name()),
            }
        }
    });
    if let Some(aligned) = aligned {
        team.shelf.put_many(aligned.into_numbers());
    }
    if let Some(rounded) = rounded {
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

/// Some columns of a product, from `first` on. weight: [all columns, inner], out: [rows, columns]
fn piece<W: Number>(
    backend: Backend,
    x: &Option<Aligned>,
    weight: ArrayView2<W>,
    first: usize,
    out: ArrayViewMut2<f32>,
) {
    let weight = weight.slice_move(s![first..first + out.ncols(), ..]);
    let x = x.as_ref().expect("x was copied");
    backend.run(Product { x, weight, out });
}

/// The same with weights in blocks, each of `BYTES` bytes.
fn packed<const BYTES: usize>(
    team: &Team,
    x: &Rounded,
    tensor: &Tensor,
    first: usize,
    out: ArrayViewMut2<f32>,
) where
    [u8; BYTES]: Block,
{
    let blocks = tensor.as_blocks::<BYTES>().expect("blocks of this length");
    let shape = (tensor.rows, blocks.len() / tensor.rows);
    let room = PackedProduct::<[u8; BYTES]>::room(out.nrows(), shape.1);
    let mut room = team.unpacked.take_many(room);
    let weight = ArrayView2::from_shape(shape, blocks).expect("rows of whole blocks");
    let weight = weight.slice_move(s![first..first + out.ncols(), ..]);
    team.backend.run(PackedProduct { x, weight, out, room: &mut room });
    team.unpacked.put_many(room);
}
