//! The same products with Q6_K, and several weights at once.

use ch05_quantized_weights as engine;

use engine::backend::Backend;
use engine::kernels::Q6K;
use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2};

#[path = "blocks.rs"]
mod blocks;
#[path = "../../../../tests/quantized_weights/k_scales.rs"]
mod k_scales;
#[path = "../../../../tests/quantized_weights/shared.rs"]
mod shared;

/// Where in a block the packed scales are.
const PACKED: [(StoredType, std::ops::Range<usize>); 1] = [(StoredType::Q6_K, 192..208)];

const TYPES: [StoredType; 1] = [StoredType::Q6_K];

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    match stored {
        StoredType::Q6_K => blocks::product_of::<Q6K>(backend, x, bytes, columns),
        other => unreachable!("{} is not of this part", other.name()),
    }
}
