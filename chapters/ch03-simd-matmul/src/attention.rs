use ground::config::Config;
use ndarray::{Array2, ArrayView2, CowArray, s};

use crate::backend::Backend;
use crate::cache::{CacheError, Lent};
use crate::kernels::WeightedSum;
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
        let end = (start + QUERIES).min(q.nrows());
        // A token sees itself and what came before it, never what comes after.
        let seen = |row: usize| (q_base + row + 1).min(k.nrows());
        for head in 0..config.heads {
            let query = head * head_dim..(head + 1) * head_dim;
            let kv_head = head / queries_per_kv_head;
            let shared = kv_head * head_dim..(kv_head + 1) * head_dim;

            let keys = k.slice(s![..seen(end - 1), shared.clone()]);
            let mut values = CowArray::from(v.slice(s![..seen(end - 1), shared.clone()]));
            if end - start > 1 {
                values = values.into_owned().into(); // each query reads them: close together
            }
            let mut scores = product(backend, q.slice(s![start..end, query.clone()]), keys);
            scores *= scale;
            for (mut scores, row) in scores.rows_mut().into_iter().zip(start..end) {
                let scores = scores.as_slice_mut().expect("a row lies in one piece");
                let weights = &mut scores[..seen(row)];
                softmax(weights);
                let rows = values.slice(s![..seen(row), ..]);
                let mut out = out.slice_mut(s![row, query.clone()]);
                let out = out.as_slice_mut().expect("a head lies in one piece");
                backend.run(WeightedSum { weights, rows, out });
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
