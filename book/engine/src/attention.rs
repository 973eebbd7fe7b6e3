use ch02_kv_cache::cache::KvCache;
use ch02_kv_cache::matmul::{dot, matmul, row_of};
use ch02_kv_cache::model::Model;
use ch02_kv_cache::norm::{rms_norm_heads, rms_norm_rows};
use ch02_kv_cache::rope::rope;
use ch02_kv_cache::softmax::softmax;
use ground::error::Error;
use ndarray::ArrayView2;

/// How much of each token, from the first to the one at `position`, every head of the first `layers` layers
/// takes in the row of the latter: `[layers][heads][position + 1]`. The model works these weights out and
/// throws them away; so that row is computed once more. `cache` is for this alone, and may hold other rows
/// of the same text.
pub fn weights(
    model: &Model,
    cache: &mut (dyn KvCache + 'static),
    ids: &[u32],
    position: usize,
    layers: usize,
) -> Result<Vec<Vec<Vec<f32>>>, Error> {
    cache.truncate(position);
    let held = cache.shape().length;
    if held < position {
        model.hidden(&ids[held..position], held, Some(cache))?;
    }
    let mut x = model.embed(&ids[position..=position]);
    let mut found = Vec::new();
    for layer in 0..layers {
        let before = x.clone();
        // Writes the row's own key.
        x = model.layer(layer, x, position, Some(cache))?;
        found.push(heads(model, cache, before.view(), layer, position)?);
    }
    Ok(found)
}

/// Of one layer, whose input for this row is `x`.
fn heads(
    model: &Model,
    cache: &dyn KvCache,
    x: ArrayView2<f32>,
    layer: usize,
    position: usize,
) -> Result<Vec<Vec<f32>>, Error> {
    let (config, weights) = (&model.config, &model.weights.layers[layer]);
    let x = rms_norm_rows(x, weights.attn_norm.view(), config.rms_eps);
    let (keys, _) = cache.view(layer, position + 1)?;
    let mut q = matmul(x.view(), weights.q_proj.view());
    rms_norm_heads(&mut q, weights.q_norm.view(), config.rms_eps);
    rope(&mut q, config.head_dim, config.rope_theta, position);

    let part = |head: usize| head * config.head_dim..(head + 1) * config.head_dim;
    let scale = 1.0 / (config.head_dim as f32).sqrt();
    let of = |head: usize| {
        let query = &row_of(q.view(), 0)[part(head)];
        let kv_head = head / (config.heads / config.kv_heads);
        let fit = |key| dot(query, &row_of(keys, key)[part(kv_head)]) * scale;
        let mut weights: Vec<f32> = (0..=position).map(fit).collect();
        softmax(&mut weights);
        weights
    };
    Ok((0..config.heads).map(of).collect())
}
