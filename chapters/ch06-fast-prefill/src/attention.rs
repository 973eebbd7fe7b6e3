use ground::config::Config;
use ndarray::{Array2, ArrayView2, Axis, s};

use crate::cache::{CacheError, Lent};
use crate::compute::ComputeContext;
use crate::kernels::{Aligned, Attend, BLOCK_SIZE, BlockView};
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
    let position = pass.position();
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

    let blocks: Vec<BlockView> = match cache {
        None => {
            let [k, v] = [&own_k, &own_v].map(|own| own.axis_chunks_iter(Axis(0), BLOCK_SIZE));
            k.zip(v).collect()
        }
        Some(cache) => {
            cache.write(index, (own_k.view(), own_v.view()))?;
            let blocks = 0..(position + x.nrows()).div_ceil(BLOCK_SIZE);
            blocks.map(|block| cache.block(index, block)).collect::<Result<_, _>>()?
        }
    };
    let cost = attend_cost(x.nrows(), position, config);
    let mixed =
        timed("attention", cost, || attend(compute, q.view(), &blocks, position, config));
    let [out] = timed_matmul("o projection", compute, mixed.view(), [&layer.o_proj]);
    for matrix in [q, own_k, own_v, mixed] {
        compute.buffers.put(matrix);
    }
    Ok(out)
}

/// How many queries go through the keys together: all heads of them that share keys are rows of one tile
/// after the other.
const QUERIES: usize = 48;

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim], k and v of a block: [keys, kv_heads * head_dim] -> shape of q
/// Query 0 is at `position`, and the blocks are those of the text from its beginning.
pub fn attend(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    blocks: &[BlockView],
    position: usize,
    config: &Config,
) -> Array2<f32> {
    let &Config { heads, kv_heads, head_dim, .. } = config;
    let (mut keys, width) = (0, kv_heads * head_dim);
    for (k, v) in blocks {
        assert!(
            kv_heads > 0 && heads.is_multiple_of(kv_heads) && k.ncols() == width,
            "rows of {} numbers with {kv_heads} kv heads cannot serve {heads} heads of {head_dim}",
            k.ncols()
        );
        assert_eq!(k.dim(), v.dim(), "each key has a value");
        assert!(keys % BLOCK_SIZE == 0, "only the last block may be shorter");
        keys += k.nrows();
    }
    assert!(keys >= position + q.nrows(), "a query has no key of its own");
    let mut out = compute.buffers.take(q.dim());
    // A chunk of the work is 48 queries with the keys and values of one kv head. A lone query takes those
    // of several, so that memory is read in long stretches.
    let numbers = 2 * keys * head_dim;
    let together = if q.nrows() == 1 { compute.chunk_len(kv_heads, numbers) } else { 1 };
    let (q_width, kv_width) = (heads / kv_heads * together * head_dim, together * head_dim);
    let chunks = out.axis_chunks_iter_mut(Axis(0), QUERIES);
    let mut chunks: Vec<_> = chunks.zip(q.axis_chunks_iter(Axis(0), QUERIES)).collect();
    // The last chunk sees the most keys, so it's handed out first: otherwise everyone would
    // wait for it at the end.
    let work = chunks.iter_mut().enumerate().rev().flat_map(|(chunk, (out, q))| {
        let position = position + chunk * QUERIES;
        let q_and_out = q
            .axis_chunks_iter(Axis(1), q_width)
            .zip(out.axis_chunks_iter_mut(Axis(1), q_width));
        let columns = (0..width).step_by(kv_width).map(move |at| at..width.min(at + kv_width));
        q_and_out.zip(columns).map(move |((q, out), columns)| (q, columns, position, out))
    });
    compute.par_for(work, |(q, columns, position, out)| {
        let sixteens = Attend::scratch_len(q.nrows(), q.ncols() / head_dim, head_dim);
        let numbers = compute.buffers.take_many(Aligned::scratch_len(sixteens, 16));
        let mut scratch = Aligned::within(numbers, sixteens, 16);
        compute.backend.run(Attend {
            q,
            blocks,
            columns,
            head_dim,
            position,
            out,
            scratch: scratch.sixteens_mut(),
        });
        compute.buffers.put_many(scratch.into_numbers());
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
