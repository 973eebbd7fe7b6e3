//! What holds for blocks of every type. The part that includes this says which of the TYPES it means, and names its `QuantBlock`.

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

use super::{QuantBlock, TYPES};
use crate::engine::backend::Backend;
use crate::engine::kernels::{PackedProduct, Round, Rounded};
pub use common::*;
use ground::dtype::StoredType;
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2};

/// The rows of x, rounded by this backend.
fn rounded(backend: Backend, x: ArrayView2<f32>) -> Rounded {
    let mut rounded = Rounded::new(x.nrows(), x.ncols());
    for out in rounded.chunks_mut(x.nrows()) {
        backend.run(Round { x, out });
    }
    rounded
}

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
pub fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    assert_eq!([stored], TYPES);
    let blocks: &[QuantBlock] = bytemuck::cast_slice(bytes);
    let shape = (columns, blocks.len() / columns.max(1));
    let weight = ArrayView2::from_shape(shape, blocks).expect("rows of whole blocks");
    // Every output is written, whatever was there.
    let mut out = Array2::from_elem((x.nrows(), columns), f32::NAN);
    backend.run(PackedProduct { x: &rounded(backend, x), weight, out: out.view_mut() });
    out
}
