use ground::config::Config;
use ndarray::{Array2, ArrayView2, s};

use crate::backend::Backend;
use crate::cache::{CacheError, Lent};
use crate::kernels::WeightedSums;
use crate::matmul::{product, timed_matmul};
use crate::norm::rms_norm_heads;
use crate::profile::{Cost, timed};
use crate::rope::rope;
use crate::softmax::softmax;
use crate::weights::Layer;

/// Lets every token gather from the tokens before it and from itself. x: [rows, hidden] -> same
/// Row 0 of `x` stands at `position`; what came before it is in the cache.
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

/// How many queries go through the keys together.
const QUERIES: usize = 24;

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim], k and v: [keys, kv_heads * head_dim] -> shape of q
/// Query 0 stands at position `q_base`, key 0 at position 0.
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
    let mut out = Array2::zeros(q.dim());

    for start in (0..q.nrows()).step_by(QUERIES) {
        let queries = start..(start + QUERIES).min(q.nrows());
        // A token sees itself and what came before it, never what comes after.
        let seen = |row: usize| (q_base + row + 1).min(k.nrows());
        let keys = ..seen(queries.end - 1);
        // A single query takes all heads at once: k and v are read from end to end, once.
        let parts = if queries.len() == 1 { config.kv_heads } else { 1 };
        let heads = parts * queries_per_kv_head;

        for kv_head in (0..config.kv_heads).step_by(parts) {
            let of_kv = s![keys, kv_head * head_dim..(kv_head + parts) * head_dim];
            let first = kv_head * queries_per_kv_head * head_dim;
            let of_q = s![queries.clone(), first..first + heads * head_dim];

            // The heads of a query one below the other. [queries * heads, head_dim]
            let x = q.slice(of_q).to_owned();
            let x = x.into_shape_with_order((queries.len() * heads, head_dim));
            let x = x.expect("the same numbers in another shape");
            let mut scores = product(backend, x.view(), k.slice(of_kv), parts);
            scores *= scale;
            let mut weights = Vec::new();
            for (index, scores) in scores.rows_mut().into_iter().enumerate() {
                let scores = scores.into_slice().expect("a row lies in one piece");
                let scores = &mut scores[..seen(start + index / heads)];
                softmax(scores);
                weights.push(&*scores);
            }
            let (weights, rows) = (&weights, v.slice(of_kv));
            let mut mixed = Array2::zeros(x.dim());
            backend.run(WeightedSums { weights, rows, parts, out: mixed.view_mut() });
            let mixed = mixed.into_shape_with_order((queries.len(), heads * head_dim));
            out.slice_mut(of_q).assign(&mixed.expect("the same numbers in another shape"));
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
