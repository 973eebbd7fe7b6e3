//! The same products with Q4_K.

use ch05_quantized_weights as engine;

use engine::kernels::Q4K as QuantBlock;
use ground::dtype::StoredType;

#[path = "blocks.rs"]
mod blocks;
#[path = "../../../../tests/shared/k_scales.rs"]
mod k_scales;

/// Where in a block the packed scales are.
const PACKED: [(StoredType, std::ops::Range<usize>); 1] = [(StoredType::Q4_K, 4..16)];

const TYPES: [StoredType; 1] = [StoredType::Q4_K];
