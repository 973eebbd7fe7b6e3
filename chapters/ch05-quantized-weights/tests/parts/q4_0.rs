//! The same products with Q4_0.

use ch05_quantized_weights as engine;

use engine::backend::Backend;
use engine::kernels::Q4_0;
use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2};

#[path = "blocks.rs"]
mod blocks;

const TYPES: [StoredType; 1] = [StoredType::Q4_0];

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    match stored {
        StoredType::Q4_0 => blocks::product_of::<Q4_0>(backend, x, bytes, columns),
        other => unreachable!("{} is not of this part", other.name()),
    }
}
