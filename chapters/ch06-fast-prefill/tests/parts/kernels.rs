//! The kernels against their definition, bit for bit, in every backend of this CPU, and the definition against what
//! others say such weights are.

use ch06_fast_prefill as engine;

use engine::backend::Backend;
use engine::kernels::{Q4_0, Q4K, Q5K, Q6K, Q8_0};
use ground::dtype::StoredType;
use ndarray::{Array2, ArrayView2};

#[path = "blocks.rs"]
mod blocks;
#[path = "floats.rs"]
mod floats;
#[path = "../../../../tests/shared/k_scales.rs"]
mod k_scales;
#[path = "../../../../tests/shared/largest.rs"]
mod largest;
#[path = "../../../../tests/shared/shared.rs"]
mod shared;

/// Where in a block the packed scales are.
const PACKED: [(StoredType, std::ops::Range<usize>); 3] =
    [(StoredType::Q4_K, 4..16), (StoredType::Q5_K, 4..16), (StoredType::Q6_K, 192..208)];

const TYPES: [StoredType; 5] =
    [StoredType::Q8_0, StoredType::Q4_0, StoredType::Q4_K, StoredType::Q5_K, StoredType::Q6_K];

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
        StoredType::Q4_0 => blocks::product_of::<Q4_0>(backend, x, bytes, columns),
        StoredType::Q4_K => blocks::product_of::<Q4K>(backend, x, bytes, columns),
        StoredType::Q5_K => blocks::product_of::<Q5K>(backend, x, bytes, columns),
        StoredType::Q6_K => blocks::product_of::<Q6K>(backend, x, bytes, columns),
        other => unreachable!("{} is not of this part", other.name()),
    }
}
