//! The same products with Q5_K.

use ch05_quantized_weights as engine;

use engine::backend::Backend;
use engine::kernels::Q5K;
use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2};

#[path = "blocks.rs"]
mod blocks;
#[path = "../../../../tests/quantized_weights/k_scales.rs"]
mod k_scales;

/// Where in a block the packed scales are.
const PACKED: [(StoredType, std::ops::Range<usize>); 1] = [(StoredType::Q5_K, 4..16)];

const TYPES: [StoredType; 1] = [StoredType::Q5_K];

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    match stored {
        StoredType::Q5_K => blocks::product_of::<Q5K>(backend, x, bytes, columns),
        other => unreachable!("{} is not of this part", other.name()),
    }
}
