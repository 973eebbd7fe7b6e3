//! What holds for blocks of every type. The part that includes this says which TYPES it means, and has their `product`.

#[path = "../../../../tests/shared/common.rs"]
mod common;
#[path = "../../../../tests/shared/definition.rs"]
pub mod definition;
#[path = "../../../../tests/shared/exact.rs"]
mod exact;
#[path = "../../../../tests/shared/hostile.rs"]
pub mod hostile;
#[path = "../../../../tests/shared/products.rs"]
pub mod products;

use super::{TYPES, product};
use crate::engine::backend::Backend;
use crate::engine::kernels::{Group, PackedProduct, QuantBlock, Round, Rounded};
use crate::engine::simd::Unpacked;
pub use common::*;
use ground::dtype::StoredType;
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2, Axis};

/// The rows of x, rounded by this backend.
fn rounded(backend: Backend, x: ArrayView2<f32>) -> Rounded {
    // In memory that holds something else, as a buffer pool gives it.
    let junk = Group {
        ints: [[77; 16]; 2],
        scale: 7.0,
        sums: [7; 2],
        starts: [7; 2],
        start: 7,
        minus_sum: 7.0,
    };
    let groups = vec![junk; Rounded::scratch_len(x.nrows(), x.ncols())];
    let mut rounded = Rounded::within(groups, x.ncols());
    for out in rounded.chunks_mut(x.nrows()) {
        backend.run(Round { x, out });
    }
    rounded
}

pub fn product_of<B: QuantBlock>(
    backend: Backend,
    x: ArrayView2<f32>,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    let found = once::<B>(backend, x, bytes, columns);
    // A CPU's own tiles are for many rows. No output depends on the others, so the same rows over again must give the
    // same.
    if backend.name() == "amx" && (1..16).contains(&x.nrows()) {
        let over_again: Vec<usize> = (0..32).map(|row| row % x.nrows()).collect();
        let many = x.select(Axis(0), &over_again);
        let many = once::<B>(backend, many.view(), bytes, columns);
        assert_same(many.view(), found.select(Axis(0), &over_again).view(), "in tiles");
    }
    found
}

fn once<B: QuantBlock>(
    backend: Backend,
    x: ArrayView2<f32>,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    let blocks: &[B] = bytemuck::cast_slice(bytes);
    let shape = (columns, blocks.len() / columns.max(1));
    let weight = ArrayView2::from_shape(shape, blocks).expect("rows of whole blocks");
    // Every output is written, whatever was there.
    let mut out = Array2::from_elem((x.nrows(), columns), f32::NAN);
    let junk = Unpacked { ints: [[[77; 64]; 4]; 2], factors: [[7.0; 16]; 2] };
    let mut scratch = vec![junk; PackedProduct::<B>::scratch_len(x.nrows(), shape.1)];
    let x = &rounded(backend, x);
    backend.run(PackedProduct { x, weight, out: out.view_mut(), scratch: &mut scratch });
    out
}
