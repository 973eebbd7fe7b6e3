use std::cmp::Reverse;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::batch_item::BatchItem;
use ch08_f16_cache::attention::attend_cost;
use ch08_f16_cache::cache::KvCache;
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::kernels::{
    Aligned, Attend, BLOCK_SIZE, BlockView, Mix, Score, Weigh, first_block,
};
use ch08_f16_cache::pass::Pass;
use ch08_f16_cache::profile::{Cost, timed};
use ch08_f16_cache::run_on::RunOn;

/// Chapter 8's attention for the rows of several texts, as far back as the layer sees. Each row gathers from its own text
/// alone. q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim] -> as q
pub fn attention(
    pass: &Pass,
    [q, k, v]: [ArrayView2<f32>; 3],
    index: usize,
    window: usize,
    items: &mut [BatchItem],
) -> Array2<f32> {
    let &Pass { compute, config, .. } = pass;
    let mut start = 0;
    for item in &mut *items {
        let rows = s![start..start + item.ids.len(), ..];
        start += item.ids.len();
        if item.refused.is_ok() {
            item.refused = item.table.write(index, (k.slice(rows), v.slice(rows)));
        }
    }
    let mut mixed = compute.buffers.take(q.dim());
    let blocks: Vec<Vec<BlockView>> =
        items.iter().map(|item| head_by_head(item, index, config.kv_heads)).collect();
    let of_item = |item: &BatchItem| attend_cost(pass, item.ids.len(), item.position(), window);
    let cost = items.iter().map(of_item).fold(Cost::default(), |all, one| Cost {
        bytes: all.bytes + one.bytes,
        flops: all.flops + one.flops,
    });
    timed("attention", cost, || {
        let heads = (config.kv_heads, config.head_dim);
        attend(compute, q, items, &blocks, heads, window, mixed.view_mut());
    });
    mixed
}

/// The blocks of a text, those of the first head before those of the second: [kv_heads, blocks]
fn head_by_head<'a>(item: &'a BatchItem, layer: usize, kv_heads: usize) -> Vec<BlockView<'a>> {
    if item.refused.is_err() {
        return Vec::new();
    }
    let count = (item.position() + item.ids.len()).div_ceil(BLOCK_SIZE);
    let block = |index| item.table.block(layer, index).expect("they are written");
    let all: Vec<BlockView> = (0..count).map(block).collect();
    let of_head = |head| {
        all.iter().map(move |block| {
            let lines = block.keys.len() / kv_heads;
            let these = head * lines..(head + 1) * lines;
            let (keys, values) = (&block.keys[these.clone()], &block.values[these]);
            BlockView { keys, values, ..*block }
        })
    };
    (0..kv_heads).flat_map(of_head).collect()
}

/// Some queries of a text with one head of its keys and values: what a thread does at a time.
struct Task<'a> {
    q: ArrayView2<'a, f32>, // [queries, heads that share these keys * head_dim]
    blocks: &'a [BlockView<'a>],
    position: usize, // of query 0
    out: ArrayViewMut2<'a, f32>,
}

/// How many queries go through the keys together.
const QUERIES: usize = 48;

/// For every query the mean of its own text's values, weighted by how well their keys fit. The work of all texts is shared
/// out as one. q and out: [rows, heads * head_dim]; blocks of each item: [kv_heads, blocks]
fn attend(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    items: &[BatchItem],
    blocks: &[Vec<BlockView>],
    (heads, head_dim): (usize, usize), // of keys and values
    window: usize,
    out: ArrayViewMut2<f32>,
) {
    let width = q.ncols() / heads;
    let (mut tasks, mut rest, mut start) = (Vec::new(), out, 0);
    for (item, blocks) in items.iter().zip(blocks) {
        let (mut own, others) = rest.split_at(Axis(0), item.ids.len());
        rest = others;
        let own_q = q.slice_move(s![start..start + item.ids.len(), ..]);
        start += item.ids.len();
        if blocks.is_empty() {
            own.fill(0.0); // of a text that was refused
            continue;
        }
        for (chunk, out) in cut(own, Axis(0), QUERIES).into_iter().enumerate() {
            let first = chunk * QUERIES;
            let position = item.position() + first;
            // The last block ends with the last query's own key.
            let count = (position + out.nrows()).div_ceil(BLOCK_SIZE);
            let q = own_q.slice_move(s![first..first + out.nrows(), ..]);
            let of_heads = blocks.chunks(blocks.len() / heads);
            for ((head, blocks), out) in of_heads.enumerate().zip(cut(out, Axis(1), width)) {
                let q = q.slice_move(s![.., head * width..(head + 1) * width]);
                tasks.push(Task { q, blocks: &blocks[..count], position, out });
            }
        }
    }
    // What takes longest is handed out first: otherwise everyone would wait for it at the end.
    tasks.sort_by_key(|task| Reverse(task.q.nrows() * task.blocks.len()));
    compute.par_for(tasks.into_iter(), |task| match task.q.nrows() {
        1 => decode_attention(compute, task, head_dim, window),
        queries => {
            let Task { q, blocks, position, out } = task;
            let sixteens = Attend::scratch_len(queries, q.ncols() / head_dim, head_dim);
            with_scratch(compute, sixteens, |scratch| {
                Attend { q, blocks, head: 0, head_dim, position, window, out, scratch }
                    .run_on(compute.backend);
            });
        }
    });
}

fn cut(mut rest: ArrayViewMut2<f32>, axis: Axis, length: usize) -> Vec<ArrayViewMut2<f32>> {
    let mut all = Vec::new();
    while rest.len_of(axis) > length {
        let (first, others) = rest.split_at(axis, length);
        all.push(first);
        rest = others;
    }
    all.push(rest);
    all
}

fn with_scratch(
    compute: &ComputeContext,
    sixteens: usize,
    work: impl FnOnce(&mut [[f32; 16]]),
) {
    let numbers = compute.buffers.take_many(Aligned::scratch_len(sixteens, 16));
    let mut scratch = Aligned::within(numbers, sixteens, 16);
    work(scratch.sixteens_mut());
    compute.buffers.put_many(scratch.into_numbers());
}

/// A lone query with one head of keys and values, in chapter 8's three steps. There they are shared out one after the other,
/// so that all threads read for a single text; here other texts are there for the others.
fn decode_attention(compute: &ComputeContext, task: Task, head_dim: usize, window: usize) {
    let Task { q, blocks, position, mut out } = task;
    // The blocks wholly behind the window are not read.
    let behind = first_block(position, window);
    let (blocks, position) = (&blocks[behind..], position - behind * BLOCK_SIZE);
    let (shared, keys, count) = (q.ncols() / head_dim, position + 1, blocks.len());
    let width = head_dim.next_multiple_of(16);
    let sixteens = shared * width / 16;
    let of_scores = count * shared * BLOCK_SIZE / 16;
    let of_factors = ((count + 1) * shared).div_ceil(16);
    with_scratch(compute, 2 * sixteens + of_scores + of_factors, |scratch| {
        let (own_q, scratch) = scratch.split_at_mut(sixteens);
        let (mixed, scratch) = scratch.split_at_mut(sixteens);
        let (scores, factors) = scratch.split_at_mut(of_scores);
        let (own_q, scores) = (own_q.as_flattened_mut(), scores.as_flattened_mut());
        let factors = &mut factors.as_flattened_mut()[..(count + 1) * shared];
        let numbers = q.to_slice().expect("a row lies in one piece");
        for (to, head) in own_q.chunks_mut(width).zip(numbers.chunks(head_dim)) {
            let (to, padding) = to.split_at_mut(head_dim);
            to.copy_from_slice(head);
            padding.fill(0.0);
        }

        let (first, q, scale) = (0, &*own_q, 1.0 / (head_dim as f32).sqrt());
        Score { q, width, shared, blocks, first, scores }.run_on(compute.backend);
        Weigh { keys, window, scale, shared, scores, factors }.run_on(compute.backend);
        let (weights, factors) = (&*scores, &*factors);
        Mix { blocks, keys, width, first, shared, weights, factors, mixed }
            .run_on(compute.backend);

        let out = out.as_slice_mut().expect("a row lies in one piece");
        for (head, out) in out.chunks_mut(head_dim).enumerate() {
            for (column, out) in out.iter_mut().enumerate() {
                let mixed = mixed[column / 16 * shared + head][column % 16];
                *out = mixed / factors[count * shared + head];
            }
        }
    });
}
