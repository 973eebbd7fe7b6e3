//! Chapter 6: whole models with weights in blocks.

use ch06_fast_prefill as engine;
use engine::cache::Lent;
use engine::model::Model;
use ndarray::Array2;

#[path = "../../../tests/shared/model.rs"]
mod model;

fn all_logits(model: &Model, ids: &[u32], position: usize, cache: Lent) -> Array2<f32> {
    let x = model.hidden(ids, position, cache).expect("there is room");
    model.logits(x.view())
}
