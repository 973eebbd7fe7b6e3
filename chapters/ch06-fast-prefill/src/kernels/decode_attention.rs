use std::array::{from_fn, from_mut};
use std::borrow::Borrow;
use std::ops::Range;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::online_softmax::{BLOCK_SIZE, BlockView, OnlineSoftmax};
use super::rows::{Aligned, row_of, sixteen_of};
use super::tile::tile;
use crate::simd::Simd;

/// Keys are read from this many places in turn, far from each other, as in `gemv`.
const STREAMS: usize = 4;

/// This many values are added to all heads before the next ones are read.
const TOGETHER: usize = 8;

/// A lone query uses each key only once, so keys and values aren't copied: every head reads its stretch of a row
/// before the next rows come, and memory is read from end to end.
/// q and out: [1, heads * head_dim], k and v of a block: [keys, kv_heads * head_dim]
#[inline(always)]
pub fn decode_attention<'a, S: Simd>(
    simd: S,
    q: ArrayView2<f32>,
    blocks: impl Iterator<Item = BlockView<'a>>,
    head_dim: usize,
    mut out: ArrayViewMut2<f32>,
) {
    let (heads, width) = (q.ncols() / head_dim, q.ncols());
    let q = q.to_shape((heads, head_dim)).expect("a row lies in one piece");
    let q = Aligned::copy(q.view());
    let sixteens = head_dim.div_ceil(16);
    let scale = 1.0 / (head_dim as f32).sqrt();
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for (k, v) in blocks {
        keys.extend((0..k.nrows()).map(|row| row_of(k, row)));
        values.extend((0..v.nrows()).map(|row| row_of(v, row)));
    }
    let shared = width / keys[0].len(); // heads that share a kv head
    let columns = |head: usize| head / shared * head_dim..(head / shared + 1) * head_dim;
    let blocks = keys.len().div_ceil(BLOCK_SIZE);
    // [heads, blocks]
    let mut scores = vec![[0.0; BLOCK_SIZE]; heads * blocks];
    let scores_of = scores.as_flattened_mut();
    if shared.is_multiple_of(2) {
        score::<S, 2>(simd, &q, &keys, columns, scores_of);
    } else {
        score::<S, 1>(simd, &q, &keys, columns, scores_of);
    }
    let mut softmax = vec![OnlineSoftmax::START; heads];
    let mut mixed = vec![[0.0; 16]; heads * sixteens];
    for (block, values) in values.chunks(BLOCK_SIZE).enumerate() {
        let seen = values.len();
        let at = |head: usize| head * blocks + block;
        for head in 0..heads {
            softmax[head].step(simd, &mut scores[at(head)], seen, scale);
            let factor = simd.load(&[softmax[head].factor; 16]);
            for mixed in &mut mixed[head * sixteens..][..sixteens] {
                simd.store(simd.multiply(simd.load(mixed), factor), mixed);
            }
        }
        for first in (0..seen).step_by(TOGETHER) {
            for head in 0..heads {
                let weights = &scores[at(head)][first..seen.min(first + TOGETHER)];
                let mixed = &mut mixed[head * sixteens..][..sixteens];
                let value = |i: usize| &values[first + i][columns(head)];
                let (fours, rest) = mixed.split_at_mut(head_dim / 64 * 4);
                for (four, mixed) in fours.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    add(simd, weights, |i| sixteens_of(value(i), 4 * four), mixed);
                }
                for (i, mixed) in rest.iter_mut().enumerate() {
                    let index = head_dim / 64 * 4 + i;
                    add(simd, weights, |i| [sixteen_of(value(i), index)], from_mut(mixed));
                }
            }
        }
    }
    let out = out.as_slice_mut().expect("a row lies in one piece");
    for (head, out) in out.chunks_mut(head_dim).enumerate() {
        for (out, mixed) in out.iter_mut().zip(mixed[head * sixteens..].as_flattened()) {
            *out = mixed / softmax[head].sum;
        }
    }
}

/// The products of every head with all keys, `M` heads that share them at a time. scores: [heads, whole blocks]
#[inline(always)]
fn score<S: Simd, const M: usize>(
    simd: S,
    q: &Aligned,
    keys: &[&[f32]],
    columns: impl Fn(usize) -> Range<usize>,
    scores: &mut [f32],
) {
    let distance = keys.len().div_ceil(STREAMS);
    let padded = keys.len().next_multiple_of(BLOCK_SIZE);
    for step in 0..distance {
        // Past the end the last key is taken once more.
        let now: [usize; STREAMS] = from_fn(|n| (n * distance + step).min(keys.len() - 1));
        let rows = now.map(|key| keys[key]);
        for (group, scores) in scores.chunks_exact_mut(M * padded).enumerate() {
            let queries = from_fn(|m| q.row(group * M + m));
            let products: [_; M] =
                tile(simd, queries, rows.map(|row| &row[columns(group * M)]));
            for (sums, scores) in products.iter().zip(scores.chunks_exact_mut(padded)) {
                for (&key, &sum) in now.iter().zip(sums) {
                    scores[key] = sum;
                }
            }
        }
    }
}

/// Adds some values, each times its weight: `N` sixteens of them.
#[inline(always)]
fn add<S: Simd, V: Borrow<[[f32; 16]; N]>, const N: usize>(
    simd: S,
    weights: &[f32],
    value: impl Fn(usize) -> V,
    mixed: &mut [[f32; 16]; N],
) {
    let mut sums = [simd.load(&[0.0; 16]); N];
    for n in 0..N {
        sums[n] = simd.load(&mixed[n]);
    }
    for (i, &weight) in weights.iter().enumerate() {
        let (value, weight) = (value(i), simd.load(&[weight; 16]));
        let value = value.borrow();
        for n in 0..N {
            sums[n] = simd.mul_add(weight, simd.load(&value[n]), sums[n]);
        }
    }
    for n in 0..N {
        simd.store(sums[n], &mut mixed[n]);
    }
}

/// Four sixteens of a row that are whole.
#[inline(always)]
fn sixteens_of(row: &[f32], first: usize) -> &[[f32; 16]; 4] {
    row.as_chunks().0[first..].first_chunk().expect("whole sixteens")
}
