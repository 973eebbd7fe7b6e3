//! Chapter 6: whole models with weights in blocks.

use ch06_fast_prefill as engine;

#[path = "../../../tests/packed/model.rs"]
mod model;
