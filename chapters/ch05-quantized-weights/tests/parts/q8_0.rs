//! Products with Q8_0 against their definition, bit for bit, in every backend of this CPU, and the definition
//! against what others say such weights are.

use ch05_quantized_weights as engine;

use engine::backend::Backend;
use engine::kernels::Q8_0;
use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2};

#[path = "blocks.rs"]
mod blocks;
#[path = "../../../../tests/quantized_weights/largest.rs"]
mod largest;

const TYPES: [StoredType; 1] = [StoredType::Q8_0];

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    match stored {
        StoredType::Q8_0 => blocks::product_of::<Q8_0>(backend, x, bytes, columns),
        other => unreachable!("{} is not of this part", other.name()),
    }
}
