//! The same products with Q4_0.

use ch05_quantized_weights as engine;

use engine::kernels::Q4_0 as QuantBlock;
use ground::dtype::StoredType;

#[path = "blocks.rs"]
mod blocks;

const TYPES: [StoredType; 1] = [StoredType::Q4_0];
