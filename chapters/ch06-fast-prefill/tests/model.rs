//! Chapter 6: whole models with weights in blocks.

use ch06_fast_prefill as engine;
use engine::cache::Lent;
use engine::model::Model;
use ndarray::Array2;

#[path = "../../../tests/packed/model.rs"]
mod model;

fn all_logits(model: &Model, ids: &[u32], position: usize, cache: Lent) -> Array2<f32> {
    let x = model.hidden(ids, position, cache, &mut |_| true).expect("there is room");
    let x = x.expect("nothing ends it");
    model.logits(x.view())
}
