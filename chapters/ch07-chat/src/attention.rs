use ground::config::Config;
use ndarray::{Array2, ArrayView2, Axis, s};

use crate::cache::{CacheError, Lent};
use crate::kernels::{Aligned, Attend};
use crate::matmul::timed_matmul;
use crate::norm::Norm;
use crate::profile::{Cost, timed};
use crate::rope::Rope;
use crate::team::Team;
use crate::weights::Layer;

/// Lets every token gather from the tokens before it and from itself. x: [rows, hidden] -> same
/// Row 0 of `x` is at `position`, turned by the first row of `angles`; what came before it is in the cache.
pub fn attention(
    team: &Team,
    x: ArrayView2<f32>,
    index: usize,
    layer: &Layer,
    config: &Config,
    (position, angles): (usize, ArrayView2<f32>),
    cache: Lent,
) -> Result<Array2<f32>, CacheError> {
    // q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim]
    let weights = [&layer.q_proj, &layer.k_proj, &layer.v_proj];
    let [mut q, mut own_k, own_v] = timed_matmul("q, k, v projections", team, x, weights);

    timed("norms and rope", Cost::default(), || {
        for (x, norm) in [(&mut q, &layer.q_norm), (&mut own_k, &layer.k_norm)] {
            team.share_rows(x.view_mut(), |these, mut rows| {
                let (weight, eps) = (norm.view(), config.rms_eps);
                team.backend.run(Norm { rows: rows.view_mut(), weight, eps });
                team.backend.run(Rope { x: rows, angles: angles.slice(s![these, ..]) });
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
    let mixed = timed("attention", cost, || attend(team, q.view(), k, v, position, config));
    let [out] = timed_matmul("o projection", team, mixed.view(), [&layer.o_proj]);
    for matrix in [q, own_k, own_v, mixed] {
        team.shelf.put(matrix);
    }
    Ok(out)
}

/// How many queries go through the keys together: all heads of them that share keys are rows of one tile
/// after the other.
const QUERIES: usize = 48;

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim], k and v: [keys, kv_heads * head_dim] -> shape of q
/// Query 0 is at `position`, key 0 at position 0.
pub fn attend(
    team: &Team,
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    position: usize,
    config: &Config,
) -> Array2<f32> {
    let &Config { heads, kv_heads, head_dim, .. } = config;
    assert!(
        kv_heads > 0 && heads.is_multiple_of(kv_heads) && k.ncols() == kv_heads * head_dim,
        "rows of {} numbers with {kv_heads} kv heads cannot serve {heads} heads of {head_dim}",
        k.ncols()
    );
    assert!(k.nrows() >= position + q.nrows(), "a query has no key of its own");
    let mut out = team.shelf.take(q.dim());
    // A piece of work is a block of queries with the keys and values of one kv head. A lone query takes those
    // of several, so that memory is read in long stretches.
    let numbers = 2 * k.nrows() * head_dim;
    let together = if q.nrows() == 1 { team.piece(kv_heads, numbers) } else { 1 };
    let (q_width, kv_width) = (heads / kv_heads * together * head_dim, together * head_dim);
    let blocks = out.axis_chunks_iter_mut(Axis(0), QUERIES);
    let mut blocks: Vec<_> = blocks.zip(q.axis_chunks_iter(Axis(0), QUERIES)).collect();
    // The last block sees the most keys: whoever takes it should not be the last to finish.
    let pieces = blocks.iter_mut().enumerate().rev().flat_map(|(block, (out, q))| {
        let position = position + block * QUERIES;
        let q_and_out = q
            .axis_chunks_iter(Axis(1), q_width)
            .zip(out.axis_chunks_iter_mut(Axis(1), q_width));
        let k_and_v =
            k.axis_chunks_iter(Axis(1), kv_width).zip(v.axis_chunks_iter(Axis(1), kv_width));
        q_and_out.zip(k_and_v).map(move |((q, out), (k, v))| (q, k, v, position, out))
    });
    team.share(pieces, |(q, k, v, position, out)| {
        let sixteens = Attend::room(q.nrows(), q.ncols() / head_dim, head_dim);
        let numbers = team.shelf.take_many(Aligned::room(sixteens, 16));
        let mut scratch = Aligned::within(numbers, sixteens, 16);
        let job = Attend { q, k, v, head_dim, position, out, scratch: scratch.sixteens_mut() };
        team.backend.run(job);
        team.shelf.put_many(scratch.into_numbers());
    });
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
