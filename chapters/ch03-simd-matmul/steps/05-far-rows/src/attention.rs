use ground::config::Config;
use ndarray::{Array2, ArrayView2};

use crate::backend::Backend;
use crate::cache::{CacheError, Lent};
use crate::kernels::row_of;
use crate::matmul::{dot, timed_matmul};
use crate::norm::rms_norm_heads;
use crate::profile::{Cost, timed};
use crate::rope::rope;
use crate::softmax::softmax;
use crate::weights::Layer;

/// Lets every token gather from the tokens before it and from itself. x: [rows, hidden] -> same
/// Row 0 of `x` is at `position`; what came before it is in the cache.
pub fn attention(
    backend: Backend,
    x: ArrayView2<f32>,
    index: usize,
    layer: &Layer,
    config: &Config,
    position: usize,
    cache: Lent,
) -> Result<Array2<f32>, CacheError> {
    let mut q = timed_matmul("q projection", backend, x, &layer.q_proj); // [rows, heads * head_dim]
    let mut k = timed_matmul("k projection", backend, x, &layer.k_proj); // [rows, kv_heads * head_dim]
    let v = timed_matmul("v projection", backend, x, &layer.v_proj); // [rows, kv_heads * head_dim]

    timed("norms and rope", Cost::default(), || {
        rms_norm_heads(&mut q, layer.q_norm.view(), config.rms_eps);
        rms_norm_heads(&mut k, layer.k_norm.view(), config.rms_eps);
        rope(&mut q, config.head_dim, config.rope_theta, position);
        rope(&mut k, config.head_dim, config.rope_theta, position);
    });

    let (k, v) = match cache {
        None => (k.view(), v.view()),
        Some(cache) => {
            cache.write(index, (k.view(), v.view()))?;
            cache.view(index, position + x.nrows())?
        }
    };
    let cost = attend_cost(x.nrows(), position, config);
    let mixed = timed("attention", cost, || attend(backend, q.view(), k, v, position, config));
    Ok(timed_matmul("o projection", backend, mixed.view(), &layer.o_proj))
}

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim], k and v: [keys, kv_heads * head_dim] -> shape of q
/// Query 0 is at position `q_base`, key 0 at position 0.
pub fn attend(
    backend: Backend,
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    q_base: usize,
    config: &Config,
) -> Array2<f32> {
    let head_dim = config.head_dim;
    let queries_per_kv_head = config.heads / config.kv_heads;
    let scale = 1.0 / (head_dim as f32).sqrt();
    let kv_head = |head| head / queries_per_kv_head;
    let part = |x, row, head| &row_of(x, row)[head * head_dim..][..head_dim];
    let mut out = Array2::zeros(q.dim());

    for (row, mut out) in out.rows_mut().into_iter().enumerate() {
        // A token sees itself and what came before it, never what comes after.
        let key_count = (q_base + row + 1).min(k.nrows());
        let mut scores = Array2::zeros((config.heads, key_count));
        for key in 0..key_count {
            for head in 0..config.heads {
                let fit = dot(backend, part(q, row, head), part(k, key, kv_head(head)));
                scores[[head, key]] = fit * scale;
            }
        }
        for mut scores in scores.rows_mut() {
            softmax(scores.as_slice_mut().expect("a row lies in one piece"));
        }
        let out = out.as_slice_mut().expect("a row lies in one piece");
        for key in 0..key_count {
            for (head, mixed) in out.chunks_exact_mut(head_dim).enumerate() {
                let weight = scores[[head, key]];
                for (mixed, value) in mixed.iter_mut().zip(part(v, key, kv_head(head))) {
                    *mixed += weight * value;
                }
            }
        }
    }
    out
}

/// Every query reads the keys and values up to its own.
fn attend_cost(rows: usize, position: usize, config: &Config) -> Cost {
    let pairs = rows * position + rows * (rows + 1) / 2; // of a query with a key
    Cost {
        bytes: 2 * pairs * config.kv_heads * config.head_dim * size_of::<f32>(),
        flops: 4 * pairs * config.heads * config.head_dim,
    }
}
