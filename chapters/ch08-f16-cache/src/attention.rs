use ground::config::Config;
use ndarray::{Array2, ArrayView2, Axis, s};

use crate::cache::{CacheError, ContiguousCache, KvCache, Lent};
use crate::compute::ComputeContext;
use crate::kernels::{
    Aligned, Attend, BLOCK_SIZE, BlockView, Mix, Score, Weigh, copy_padded, first_block,
};
use crate::matmul::timed_matmul;
use crate::norm::Norm;
use crate::pass::Pass;
use crate::profile::{Cost, timed};
use crate::rope::Rope;
use crate::weights::Layer;

/// Lets every token gather from the tokens before it and from itself. x: [rows, hidden] -> same
/// The rows follow each other in one text; what came before the first of them is in the cache.
pub fn attention(
    pass: &Pass,
    x: ArrayView2<f32>,
    index: usize,
    layer: &Layer,
    cache: Lent,
) -> Result<Array2<f32>, CacheError> {
    let &Pass { compute, config, .. } = pass;
    // q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim]
    let weights = [&layer.q_proj, &layer.k_proj, &layer.v_proj];
    let [mut q, mut own_k, own_v] = timed_matmul("q, k, v projections", compute, x, weights);

    timed("norms and rope", Cost::default(), || {
        for (x, norm) in [(&mut q, &layer.q_norm), (&mut own_k, &layer.k_norm)] {
            compute.par_rows(x.view_mut(), |these, mut rows| {
                let (weight, eps) = (norm.view(), config.rms_eps);
                compute.backend.run(Norm { rows: rows.view_mut(), weight, eps });
                compute.backend.run(Rope { x: rows, angles: pass.angles.slice(s![these, ..]) });
            });
        }
    });

    let qkv = [q.view(), own_k.view(), own_v.view()];
    let mixed = attend_cached(pass, qkv, index, usize::MAX, cache)?;
    let [out] = timed_matmul("o projection", compute, mixed.view(), [&layer.o_proj]);
    for matrix in [q, own_k, own_v, mixed] {
        compute.buffers.put(matrix);
    }
    Ok(out)
}

/// Keeps the rows of keys and values in a layer of the cache. Then each query gathers from what is kept, as far back as
/// its window. q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim] -> as q
pub fn attend_cached(
    pass: &Pass,
    [q, k, v]: [ArrayView2<f32>; 3],
    index: usize,
    window: usize,
    cache: Lent,
) -> Result<Array2<f32>, CacheError> {
    let &Pass { compute, config, .. } = pass;
    let position = pass.position();
    // Without a cache the rows are kept for this layer alone: rounded, and laid out as attention reads them.
    let mut own;
    let (cache, index): (&mut dyn KvCache, usize) = match cache {
        Some(cache) => (cache, index),
        None => {
            let heads = (config.kv_heads, config.head_dim);
            own = ContiguousCache::new(pass.kv_type, 1, heads, None)?;
            (&mut own, 0)
        }
    };
    cache.write(index, (k, v))?;
    let blocks = 0..(position + q.nrows()).div_ceil(BLOCK_SIZE);
    let blocks: Vec<BlockView> =
        blocks.map(|block| cache.block(index, block)).collect::<Result<_, _>>()?;
    let cost = attend_cost(pass, q.nrows(), position, window);
    Ok(timed("attention", cost, || attend(compute, q, &blocks, position, window, config)))
}

/// How many queries go through the keys together: all heads of them that share keys are rows of one tile
/// after the other.
const QUERIES: usize = 48;

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim] -> same
/// Query 0 is at `position`, and the blocks are those of the text from its beginning. A query sees the last `window`
/// keys up to its own.
pub fn attend(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    blocks: &[BlockView],
    position: usize,
    window: usize,
    config: &Config,
) -> Array2<f32> {
    let &Config { heads, kv_heads, head_dim, .. } = config;
    let mut keys = 0;
    for block in blocks {
        assert!(keys % BLOCK_SIZE == 0, "only the last block may be shorter");
        assert!(block.kv_type == blocks[0].kv_type, "a cache keeps one type");
        keys += block.rows;
    }
    assert!(keys >= position + q.nrows(), "a query has no key of its own");
    if q.nrows() == 1 {
        let first = first_block(position, window);
        let blocks = &blocks[first..=position / BLOCK_SIZE];
        let keys = position + 1 - first * BLOCK_SIZE;
        return decode_attention(compute, q, blocks, keys, window, config);
    }
    let width = heads / kv_heads * head_dim;
    let mut out = compute.buffers.take(q.dim());
    // A chunk of the work is 48 queries with the keys and values of one kv head.
    let chunks = out.axis_chunks_iter_mut(Axis(0), QUERIES);
    let mut chunks: Vec<_> = chunks.zip(q.axis_chunks_iter(Axis(0), QUERIES)).collect();
    // The last chunk sees the most keys, so it's handed out first: otherwise everyone would
    // wait for it at the end.
    let work = chunks.iter_mut().enumerate().rev().flat_map(|(chunk, (out, q))| {
        let position = position + chunk * QUERIES;
        let q_and_out =
            q.axis_chunks_iter(Axis(1), width).zip(out.axis_chunks_iter_mut(Axis(1), width));
        q_and_out.enumerate().map(move |(head, (q, out))| (head, q, position, out))
    });
    compute.par_for(work, |(head, q, position, out)| {
        let sixteens = Attend::scratch_len(q.nrows(), q.ncols() / head_dim, head_dim);
        let numbers = compute.buffers.take_many(Aligned::scratch_len(sixteens, 16));
        let mut scratch = Aligned::within(numbers, sixteens, 16);
        compute.backend.run(Attend {
            q,
            blocks,
            head,
            head_dim,
            position,
            window,
            out,
            scratch: scratch.sixteens_mut(),
        });
        compute.buffers.put_many(scratch.into_numbers());
    });
    out
}

/// A lone query uses each key only once, so all that matters is that every thread reads all the time, and far ahead.
/// The scores are shared out by heads and blocks, the values by heads and columns. The weights in between are little
/// work, and go through the blocks in order.
fn decode_attention(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    blocks: &[BlockView],
    keys: usize,
    window: usize,
    config: &Config,
) -> Array2<f32> {
    let &Config { heads, kv_heads, head_dim, .. } = config;
    let (shared, width, count) =
        (heads / kv_heads, head_dim.next_multiple_of(16), blocks.len());
    let numbers = compute.buffers.take_many(Aligned::scratch_len(heads, head_dim));
    let mut aligned = Aligned::within(numbers, heads, head_dim);
    let rows = q.to_shape((heads, head_dim)).expect("a row lies in one stretch");
    copy_padded(rows.view(), aligned.view_mut());
    let q = aligned.sixteens_mut().as_flattened();

    let of_head = count * shared * BLOCK_SIZE;
    let mut scores = compute.buffers.take_many(kv_heads * of_head);
    let pairs = compute.chunk_len(kv_heads * count, BLOCK_SIZE * width);
    let work = scores.chunks_mut(pairs * shared * BLOCK_SIZE).enumerate();
    compute.par_for(work, |(index, scores)| {
        let first = index * pairs;
        compute.backend.run(Score { q, width, shared, blocks, first, scores });
    });

    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut factors = compute.buffers.take_many((count + 1) * heads);
    let some = compute.chunk_len(kv_heads, keys * shared);
    let scores_of = scores.chunks_mut(some * of_head);
    let work = scores_of.zip(factors.chunks_mut(some * (count + 1) * shared));
    compute.par_for(work, |(scores, factors)| {
        compute.backend.run(Weigh { keys, window, scale, shared, scores, factors });
    });

    // Sixteens of columns, head by head: [kv_heads, sixteens, shared]
    let sixteens = width / 16;
    let columns = compute.chunk_len(kv_heads * sixteens, keys * 16).next_multiple_of(4);
    let mut mixed = compute.buffers.take_many(heads * width);
    let work = mixed.as_chunks_mut::<16>().0.chunks_mut(columns * shared).enumerate();
    compute.par_for(work, |(index, mixed)| {
        let (first, weights, factors) = (index * columns, &scores[..], &factors[..]);
        compute.backend.run(Mix {
            blocks,
            keys,
            width,
            first,
            shared,
            weights,
            factors,
            mixed,
        });
    });

    let mut out = compute.buffers.take((1, heads * head_dim));
    for (column, out) in out.iter_mut().enumerate() {
        let (head, column) = (column / head_dim, column % head_dim);
        let (of, head) = (head / shared, head % shared);
        let at = (of * sixteens + column / 16) * shared + head;
        let sum = factors[(of * (count + 1) + count) * shared + head];
        *out = mixed[at * 16 + column % 16] / sum;
    }
    for numbers in [aligned.into_numbers(), scores, factors, mixed] {
        compute.buffers.put_many(numbers);
    }
    out
}

/// What so many queries of one text read, and how much they compute. The first of them is at `position`.
pub fn attend_cost(pass: &Pass, rows: usize, position: usize, window: usize) -> Cost {
    let config = pass.config;
    let pairs: usize = (position..position + rows).map(|at| window.min(at + 1)).sum(); // of a query with a key
    Cost {
        bytes: 2 * pairs * config.kv_heads * pass.kv_type.row_bytes(config.head_dim),
        flops: 4 * pairs * config.heads * config.head_dim,
    }
}
