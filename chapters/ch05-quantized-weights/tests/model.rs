//! Chapter 5: whole models with weights in blocks.

use ch05_quantized_weights as engine;

#[path = "../../../tests/packed/model.rs"]
mod model;
