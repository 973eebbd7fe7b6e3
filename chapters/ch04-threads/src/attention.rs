use ground::config::Config;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::backend::Backend;
use crate::cache::{CacheError, Lent};
use crate::compute::ComputeContext;
use crate::kernels::{Scores, WeightedSums};
use crate::matmul::{product, timed_matmul};
use crate::norm::rms_norm_heads;
use crate::profile::{Cost, timed};
use crate::rope::rope;
use crate::softmax::softmax;
use crate::weights::Layer;

/// Lets every token gather from the tokens before it and from itself. x: [rows, hidden] -> same
/// Row 0 of `x` is at `position`; what came before it is in the cache.
pub fn attention(
    compute: &ComputeContext,
    x: ArrayView2<f32>,
    index: usize,
    layer: &Layer,
    config: &Config,
    position: usize,
    cache: Lent,
) -> Result<Array2<f32>, CacheError> {
    // q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim]
    let weights = [&layer.q_proj, &layer.k_proj, &layer.v_proj];
    let [mut q, mut own_k, own_v] = timed_matmul("q, k, v projections", compute, x, weights);

    timed("norms and rope", Cost::default(), || {
        for (x, norm) in [(&mut q, &layer.q_norm), (&mut own_k, &layer.k_norm)] {
            compute.par_rows(x.view_mut(), |these, mut rows| {
                rms_norm_heads(&mut rows, norm.view(), config.rms_eps);
                rope(&mut rows, config.head_dim, config.rope_theta, position + these.start);
            });
        }
    });

    let (k, v) = match cache {
        None => (own_k.view(), own_v.view()),
        Some(cache) => {
            cache.write(index, (own_k.view(), own_v.view()))?;
            cache.view(index, position + x.nrows())?
        }
    };
    let cost = attend_cost(x.nrows(), position, config);
    let mixed = timed("attention", cost, || attend(compute, q.view(), k, v, position, config));
    let [out] = timed_matmul("o projection", compute, mixed.view(), [&layer.o_proj]);
    for matrix in [q, own_k, own_v, mixed] {
        compute.buffers.put(matrix);
    }
    Ok(out)
}

/// How many queries go through the keys together.
const QUERIES: usize = 24;

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim], k and v: [keys, kv_heads * head_dim] -> shape of q
/// Query 0 is at position `q_base`, key 0 at position 0.
pub fn attend(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    q_base: usize,
    config: &Config,
) -> Array2<f32> {
    let mut out = compute.buffers.take(q.dim());
    let (k, v) = (of_heads(k, config), of_heads(v, config));
    if q.nrows() == 1 {
        attend_one(compute, q, &k, &v, config, out.view_mut());
        return out;
    }
    let blocks =
        out.axis_chunks_iter_mut(Axis(0), QUERIES).zip(q.axis_chunks_iter(Axis(0), QUERIES));
    // The last block sees the most keys, so it's handed out first: otherwise everyone would
    // wait for it at the end.
    compute.par_for(blocks.enumerate().rev(), |(block, (out, q))| {
        attend_many(compute.backend, q, &k, &v, q_base + block * QUERIES, config, out);
    });
    out
}

/// What each head of a query sees of keys or values. A row of these holds one stretch for each kv
/// head; the first kv head serves the first heads of a query, and so on, each the same number.
/// rows: [positions, kv_heads * head_dim] -> for each head [positions, head_dim]
fn of_heads<'a>(rows: ArrayView2<'a, f32>, config: &Config) -> Vec<ArrayView2<'a, f32>> {
    let &Config { heads, kv_heads, head_dim, .. } = config;
    assert!(
        kv_heads > 0 && heads.is_multiple_of(kv_heads) && rows.ncols() == kv_heads * head_dim,
        "rows of {} numbers with {kv_heads} kv heads cannot serve {heads} heads of {head_dim}",
        rows.ncols()
    );
    let heads_per_kv_head = heads / kv_heads;
    let first = |head| head / heads_per_kv_head * head_dim;
    (0..heads)
        .map(|head| rows.slice_move(s![.., first(head)..first(head) + head_dim]))
        .collect()
}

/// A lone query, which sees all keys: several of its heads at once, so that longer stretches of the keys
/// and values are read. q and out: [1, heads * head_dim], k and v: for each head [keys, head_dim]
fn attend_one(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    k: &[ArrayView2<f32>],
    v: &[ArrayView2<f32>],
    config: &Config,
    out: ArrayViewMut2<f32>,
) {
    let by_head = (config.heads, config.head_dim);
    let q = q.into_shape_with_order(by_head).expect("a row lies in one piece");
    let mut out = out.into_shape_with_order(by_head).expect("a row lies in one piece");
    let keys = k[0].nrows();
    // Heads that read the same keys stay together.
    let heads = compute.chunk_len(config.heads, 2 * keys * config.head_dim);
    let heads = heads.next_multiple_of(config.heads / config.kv_heads);
    let rows = out.axis_chunks_iter_mut(Axis(0), heads).zip(q.axis_chunks_iter(Axis(0), heads));
    let chunks = rows.zip(k.chunks(heads).zip(v.chunks(heads)));
    compute.par_for(chunks, |((mut out, q), (k, v))| {
        let mut scores = Array2::zeros((q.nrows(), keys));
        compute.backend.run(Scores { q, k, out: scores.view_mut() });
        let weights = weights(&mut scores, config, |_| keys);
        out.fill(0.0);
        compute.backend.run(WeightedSums { weights: &weights, v, out });
    });
}

/// A block of queries, one head of keys after the other: all heads of queries that share it are the
/// rows of one product. q and out: [queries, heads * head_dim], k and v: for each head [keys, head_dim]
fn attend_many(
    backend: Backend,
    q: ArrayView2<f32>,
    k: &[ArrayView2<f32>],
    v: &[ArrayView2<f32>],
    q_base: usize,
    config: &Config,
    mut out: ArrayViewMut2<f32>,
) {
    let (queries, head_dim) = (q.nrows(), config.head_dim);
    let heads = config.heads / config.kv_heads; // that share keys
    for first in (0..config.heads).step_by(heads) {
        let keys = s![..(q_base + queries).min(k[first].nrows()), ..]; // up to that of the last query
        let (k, v) = (k[first].slice(keys), v[first].slice(keys));
        let columns = s![.., first * head_dim..(first + heads) * head_dim];

        // The heads of a query one below the other. [queries * heads, head_dim]
        let x = q.slice(columns).to_owned();
        let x = x.into_shape_with_order((queries * heads, head_dim));
        let x = x.expect("the same numbers in another shape");
        let mut scores = product(backend, x.view(), k);
        // A token sees itself and what came before it, never what comes after.
        let seen = |row: usize| (q_base + row / heads + 1).min(k.nrows());
        let weights = weights(&mut scores, config, seen);

        let mut mixed = Array2::zeros(x.dim());
        let v = vec![v; x.nrows()];
        backend.run(WeightedSums { weights: &weights, v: &v, out: mixed.view_mut() });
        let mixed = mixed.into_shape_with_order((queries, heads * head_dim));
        out.slice_mut(columns).assign(&mixed.expect("the same numbers in another shape"));
    }
}

/// Turns scores into weights, in each row those of the keys that it may see. scores: [rows, keys]
fn weights<'a>(
    scores: &'a mut Array2<f32>,
    config: &Config,
    seen: impl Fn(usize) -> usize,
) -> Vec<&'a [f32]> {
    *scores *= 1.0 / (config.head_dim as f32).sqrt();
    let mut weights = Vec::with_capacity(scores.nrows());
    for (row, scores) in scores.rows_mut().into_iter().enumerate() {
        let scores = scores.into_slice().expect("a row lies in one piece");
        let scores = &mut scores[..seen(row)];
        softmax(scores);
        weights.push(&*scores);
    }
    weights
}

/// Every query reads the keys and values up to its own.
fn attend_cost(rows: usize, position: usize, config: &Config) -> Cost {
    let pairs = rows * position + rows * (rows + 1) / 2; // of a query with a key
    Cost {
        bytes: 2 * pairs * config.kv_heads * config.head_dim * size_of::<f32>(),
        flops: 4 * pairs * config.heads * config.head_dim,
    }
}
