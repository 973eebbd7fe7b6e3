//! Products with Q8_0 against their definition, bit for bit, in every backend of this CPU, and the definition
//! against what others say such weights are.

use ch05_quantized_weights as engine;

use blocks::product;
use engine::kernels::Q8_0 as QuantBlock;
use ground::dtype::StoredType;

#[path = "blocks.rs"]
mod blocks;
#[path = "../../../../tests/shared/largest.rs"]
mod largest;

const TYPES: [StoredType; 1] = [StoredType::Q8_0];
