use std::convert::Infallible;

use ground::states::{Place, note};
use ndarray::{Array2, Axis};

use crate::attend::attention;
use crate::batch_item::BatchItem;
use crate::layers::Layers;
use ch08_f16_cache::cache::{CacheError, KvCache, check};
use ch08_f16_cache::model::Model;

/// Sends the next tokens of several texts through all layers, in one pass over the weights. What each of them gets, it would
/// get alone: to the bit, whatever else is in the batch. -> [wanted][vocab] for each item
pub fn forward(
    model: &Model,
    layers: &Layers,
    items: &mut [BatchItem],
) -> Vec<Result<Vec<Vec<f32>>, CacheError>> {
    if items.is_empty() {
        return Vec::new();
    }
    for item in &mut *items {
        let (position, rows) = (item.position(), item.ids.len());
        item.refused = check(&item.table.shape(), &model.config, model.kv_type, position, rows);
    }
    let of_item = |item: &BatchItem| item.position()..item.position() + item.ids.len();
    let positions: Vec<usize> = items.iter().flat_map(of_item).collect();
    let ids: Vec<u32> = items.iter().flat_map(|item| item.ids).copied().collect();
    let passes = layers.passes(model, &positions);
    let mut x = layers.embed(model, &ids);
    note_states(0, items, &x);
    for (index, block) in layers.blocks.iter().enumerate() {
        let (pass, window) = (layers.pass_of(index, &passes), layers.window_of(index));
        let forward = block.forward(pass, x, |qkv| {
            Ok::<_, Infallible>(attention(pass, qkv, index, window, items))
        });
        let Ok(next) = forward;
        x = next;
        note_states(index + 1, items, &x);
    }
    // Of a prompt only the last row can be wanted, and the head is a quarter of all weights.
    let (mut end, mut wanted) = (0, Vec::new());
    for item in &*items {
        end += item.ids.len();
        if item.refused.is_ok() {
            wanted.extend(end - item.wanted..end);
        }
    }
    let logits = model.logits(x.select(Axis(0), &wanted).view());
    let mut rows = logits.rows().into_iter().map(|row| row.to_vec());
    let of_item = |item: &mut BatchItem| {
        item.refused?;
        item.table.advance(item.ids.len());
        Ok(rows.by_ref().take(item.wanted).collect())
    };
    let all = items.iter_mut().map(of_item).collect();
    model.compute.buffers.put(logits);
    all
}

/// For tests: each text's states on their own.
fn note_states(stage: usize, items: &[BatchItem], x: &Array2<f32>) {
    let mut rows = x.rows().into_iter();
    for (text, item) in items.iter().enumerate() {
        let place = Place { text, position: item.position() };
        note(stage, place, rows.by_ref().take(item.ids.len()));
    }
}
