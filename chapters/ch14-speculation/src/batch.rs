use ground::states::{Place, note};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::attend::attention;
use crate::part::Part;
use ch08_f16_cache::cache::{CacheError, KvCache, check};
use ch08_f16_cache::mlp::mlp;
use ch08_f16_cache::model::Model;
use ch08_f16_cache::norm::rms_norm_rows;
use ch08_f16_cache::pass::Pass;
use ch08_f16_cache::profile::{Cost, timed};
use ch08_f16_cache::team::Team;

/// Sends the next tokens of several texts through all layers, in one pass over the weights. What each of them gets, it would
/// get alone: to the bit, whatever else is in the batch. -> [wanted][vocab] for each part
pub fn forward(model: &Model, parts: &mut [Part]) -> Vec<Result<Vec<Vec<f32>>, CacheError>> {
    if parts.is_empty() {
        return Vec::new();
    }
    for part in &mut *parts {
        let (position, rows) = (part.position(), part.ids.len());
        part.refused = check(part.table, &model.config, model.kv_type, position, rows);
    }
    let of_part = |part: &Part| part.position()..part.position() + part.ids.len();
    let positions = parts.iter().flat_map(of_part).collect();
    let ids: Vec<u32> = parts.iter().flat_map(|part| part.ids).copied().collect();
    let pass = Pass::new(&model.team, &model.config, model.kv_type, positions);
    let mut x = model.embed(&ids);
    note_states(0, parts, &x);
    for index in 0..model.config.layers {
        x = layer(model, &pass, index, x, parts);
        note_states(index + 1, parts, &x);
    }
    // Of a prompt only the last row can be wanted, and the head is a third of all weights.
    let mut end = 0;
    let mut wanted = Vec::new();
    for part in &*parts {
        end += part.ids.len();
        if part.refused.is_ok() {
            wanted.extend(end - part.wanted..end);
        }
    }
    let logits = model.logits(x.select(Axis(0), &wanted).view());
    let mut logits = logits.rows().into_iter().map(|row| row.to_vec());
    let of_part = |part: &mut Part| {
        part.refused?;
        part.table.advance(part.ids.len());
        Ok(logits.by_ref().take(part.wanted).collect())
    };
    parts.iter_mut().map(of_part).collect()
}

/// Chapter 8's layer, with another attention in the middle. x: [rows, hidden] -> same
fn layer(
    model: &Model,
    pass: &Pass,
    index: usize,
    mut x: Array2<f32>,
    parts: &mut [Part],
) -> Array2<f32> {
    let (layer, team, eps) = (&model.weights.layers[index], &model.team, model.config.rms_eps);
    let normed = rms_norm_rows(team, x.view(), layer.attn_norm.view(), eps);
    let mixed = attention(pass, normed.view(), index, layer, parts);
    add(team, x.view_mut(), mixed.view());
    let renormed = rms_norm_rows(team, x.view(), layer.ffn_norm.view(), eps);
    let fed = mlp(team, renormed.view(), layer);
    add(team, x.view_mut(), fed.view());
    for matrix in [normed, mixed, renormed, fed] {
        team.shelf.put(matrix);
    }
    x
}

/// x: [rows, hidden], more: the same
fn add(team: &Team, x: ArrayViewMut2<f32>, more: ArrayView2<f32>) {
    timed("additions", Cost::default(), || {
        team.share_rows(x, |these, mut rows| rows += &more.slice(s![these, ..]));
    });
}

/// For tests: each text's states on their own.
fn note_states(stage: usize, parts: &[Part], x: &Array2<f32>) {
    let mut rows = x.rows().into_iter();
    for (text, part) in parts.iter().enumerate() {
        let place = Place { text, position: part.position() };
        note(stage, place, rows.by_ref().take(part.ids.len()));
    }
}
