use ch02_kv_cache::attention::attention;
use ch02_kv_cache::cache::KvCache;
use ch02_kv_cache::matmul::{dot, matmul, row_of};
use ch02_kv_cache::model::Model;
use ch02_kv_cache::norm::{rms_norm_heads, rms_norm_rows};
use ch02_kv_cache::rope::rope;
use ch02_kv_cache::softmax::softmax;
use ground::error::Error;

/// How much of each token, from the first to the one at `position`, a head takes in the row of the
/// latter. The model works these weights out and throws them away; so that row is computed once more, as
/// far as this layer. `cache` is for this alone, and may hold other rows of the same text.
pub fn weights(
    model: &Model,
    cache: &mut (dyn KvCache + 'static),
    ids: &[u32],
    layer: usize,
    head: usize,
    position: usize,
) -> Result<Vec<f32>, Error> {
    cache.truncate(position);
    let held = cache.shape().length;
    if held < position {
        model.hidden(&ids[held..position], held, Some(cache))?;
    }
    let mut x = model.embed(&ids[position..=position]);
    for below in 0..layer {
        x = model.layer(below, x, position, Some(cache))?;
    }

    let (config, weights) = (&model.config, &model.weights.layers[layer]);
    let x = rms_norm_rows(x.view(), weights.attn_norm.view(), config.rms_eps);
    // Writes the row's own key.
    attention(x.view(), layer, weights, config, position, Some(cache))?;
    let (keys, _) = cache.view(layer, position + 1)?;
    let mut q = matmul(x.view(), weights.q_proj.view());
    rms_norm_heads(&mut q, weights.q_norm.view(), config.rms_eps);
    rope(&mut q, config.head_dim, config.rope_theta, position);

    let part = |head: usize| head * config.head_dim..(head + 1) * config.head_dim;
    let query = &row_of(q.view(), 0)[part(head)];
    let kv_head = head / (config.heads / config.kv_heads);
    let scale = 1.0 / (config.head_dim as f32).sqrt();
    let fit = |key| dot(query, &row_of(keys, key)[part(kv_head)]) * scale;
    let mut weights: Vec<f32> = (0..=position).map(fit).collect();
    softmax(&mut weights);
    Ok(weights)
}
