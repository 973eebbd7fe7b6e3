use ground::states::{Place, note};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::attend::attention;
use crate::batch_item::BatchItem;
use ch08_f16_cache::cache::{CacheError, KvCache, check};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::mlp::mlp;
use ch08_f16_cache::model::Model;
use ch08_f16_cache::norm::rms_norm_rows;
use ch08_f16_cache::pass::Pass;
use ch08_f16_cache::profile::{Cost, timed};

/// Sends the next tokens of several texts through all layers, in one pass over the weights. What each of them gets, it would
/// get alone: to the bit, whatever else is in the batch. -> [vocab] for each item
pub fn forward(
    model: &Model,
    items: &mut [BatchItem],
) -> Vec<Result<Option<Vec<f32>>, CacheError>> {
    if items.is_empty() {
        return Vec::new();
    }
    for item in &mut *items {
        let (position, rows) = (item.position(), item.ids.len());
        item.refused = check(&item.table.shape(), &model.config, model.kv_type, position, rows);
    }
    let of_item = |item: &BatchItem| item.position()..item.position() + item.ids.len();
    let positions = items.iter().flat_map(of_item).collect();
    let ids: Vec<u32> = items.iter().flat_map(|item| item.ids).copied().collect();
    let pass = Pass::new(&model.compute, &model.config, model.kv_type, positions);
    let mut x = model.embed(&ids);
    note_states(0, items, &x);
    for index in 0..model.config.layers {
        x = layer(model, &pass, index, x, items);
        note_states(index + 1, items, &x);
    }
    // Only the last row of a part can be wanted, and the head is a quarter of all weights.
    let (mut end, mut wanted) = (0, Vec::new());
    for item in &*items {
        end += item.ids.len();
        wanted.extend((item.refused.is_ok() && item.wants_logits).then(|| end - 1));
    }
    let logits = model.logits(x.select(Axis(0), &wanted).view());
    let mut rows = logits.rows().into_iter().map(|row| row.to_vec());
    let of_item = |item: &mut BatchItem| {
        item.refused?;
        item.table.advance(item.ids.len());
        Ok(item.wants_logits.then(|| rows.next().expect("a row for each that is wanted")))
    };
    let all = items.iter_mut().map(of_item).collect();
    model.compute.buffers.put(logits);
    all
}

/// Chapter 8's layer, with another attention in the middle. x: [rows, hidden] -> same
fn layer(
    model: &Model,
    pass: &Pass,
    index: usize,
    mut x: Array2<f32>,
    items: &mut [BatchItem],
) -> Array2<f32> {
    let (layer, compute, eps) =
        (&model.weights.layers[index], &model.compute, model.config.rms_eps);
    let normed = rms_norm_rows(compute, x.view(), layer.attn_norm.view(), eps);
    let mixed = attention(pass, normed.view(), index, layer, items);
    add(compute, x.view_mut(), mixed.view());
    let renormed = rms_norm_rows(compute, x.view(), layer.ffn_norm.view(), eps);
    let fed = mlp(compute, renormed.view(), layer);
    add(compute, x.view_mut(), fed.view());
    for matrix in [normed, mixed, renormed, fed] {
        compute.buffers.put(matrix);
    }
    x
}

/// x: [rows, hidden], more: the same
fn add(compute: &ComputeContext, x: ArrayViewMut2<f32>, more: ArrayView2<f32>) {
    timed("additions", Cost::default(), || {
        compute.par_rows(x, |these, mut rows| rows += &more.slice(s![these, ..]));
    });
}

/// For tests: each text's states on their own.
fn note_states(stage: usize, items: &[BatchItem], x: &Array2<f32>) {
    let mut rows = x.rows().into_iter();
    for (text, item) in items.iter().enumerate() {
        let place = Place { text, position: item.position() };
        note(stage, place, rows.by_ref().take(item.ids.len()));
    }
}
