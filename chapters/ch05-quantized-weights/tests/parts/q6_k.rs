//! The same products with Q6_K, and several weights at once.

use ch05_quantized_weights as engine;

use engine::kernels::Q6K as QuantBlock;
use ground::dtype::StoredType;

#[path = "blocks.rs"]
mod blocks;
#[path = "../../../../tests/shared/k_scales.rs"]
mod k_scales;
#[path = "../../../../tests/shared/shared.rs"]
mod shared;

/// Where in a block the packed scales are.
const PACKED: [(StoredType, std::ops::Range<usize>); 1] = [(StoredType::Q6_K, 192..208)];

const TYPES: [StoredType; 1] = [StoredType::Q6_K];
