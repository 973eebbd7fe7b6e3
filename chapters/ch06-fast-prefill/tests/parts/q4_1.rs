//! The type that came with repacking, as the file has it: its products against their definition, bit for bit, in every
//! backend of this CPU, and the definition against what others say such weights are.

use ch06_fast_prefill as engine;

use engine::backend::Backend;
use engine::kernels::Q4_1;
use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2};

#[path = "blocks.rs"]
mod blocks;

const TYPES: [StoredType; 1] = [StoredType::Q4_1];

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    _: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    blocks::product_of::<Q4_1>(backend, x, bytes, columns)
}
