use std::array::from_fn;

use super::block_view::BlockView;
use super::window::{step_within, too_far};
use crate::base::kernels::{BLOCK_SIZE, LARGE_TILE, OnlineSoftmax, tile};
use crate::simd::{Kernel, Simd};

/// Keys are read from this many places of a block in turn, as in `gemv`.
const STREAMS: usize = 4;

/// The products of a lone query with keys. One head of keys in one block is a pair; pairs are numbered head by head,
/// [kv_heads, blocks], and each is multiplied with all heads of the query that share these keys.
pub struct Score<'a> {
    pub q: &'a [f32], // [heads, width]
    pub width: usize,
    pub shared: usize,
    pub blocks: &'a [BlockView<'a>],
    pub first: usize,          // of these pairs
    pub scores: &'a mut [f32], // [pairs, shared, BLOCK_SIZE]
}

impl Kernel for Score<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Score { q, width, shared, blocks, first, scores } = self;
        let pairs = first..first + scores.len() / (shared * BLOCK_SIZE);
        for (pair, scores) in pairs.clone().zip(scores.chunks_exact_mut(shared * BLOCK_SIZE)) {
            let [keys, next] = [pair, (pair + 1).min(pairs.end - 1)]
                .map(|pair| blocks[pair % blocks.len()].head(pair / blocks.len(), width).0);
            let q = &q[pair / blocks.len() * shared * width..][..shared * width];
            if shared.is_multiple_of(2) {
                score::<S, 2>(simd, q, keys, next, scores);
            } else {
                score::<S, 1>(simd, q, keys, next, scores);
            }
        }
    }
}

/// `M` heads at a time. q: [shared, width], keys and those that come next: [BLOCK_SIZE, width],
/// scores: [shared, BLOCK_SIZE]
#[inline(always)]
fn score<S: Simd, const M: usize>(
    simd: S,
    q: &[f32],
    keys: &[f32],
    next: &[f32],
    scores: &mut [f32],
) {
    let (width, distance) = (keys.len() / BLOCK_SIZE, BLOCK_SIZE / STREAMS);
    let heads = q.chunks_exact(M * width).zip(scores.chunks_exact_mut(M * BLOCK_SIZE));
    for (q, scores) in heads {
        let queries = from_fn(|m| &q[m * width..][..width]);
        for step in 0..distance {
            let rows: [usize; STREAMS] = from_fn(|n| n * distance + step);
            for row in rows {
                simd.fetch(&next[row * width..][..width], 0);
            }
            let products: [_; M] =
                tile(simd, queries, rows.map(|row| &keys[row * width..][..width]));
            for (products, scores) in products.iter().zip(scores.chunks_exact_mut(BLOCK_SIZE)) {
                for (row, &product) in rows.into_iter().zip(products) {
                    scores[row] = product;
                }
            }
        }
    }
}

/// Turns the scores of some heads into weights, through the blocks in their order.
pub struct Weigh<'a> {
    pub keys: usize,
    pub window: usize, // of keys that count, the last ones
    pub scale: f32,
    pub shared: usize,
    pub scores: &'a mut [f32], // [kv_heads, blocks, shared, BLOCK_SIZE]
    pub factors: &'a mut [f32], // [kv_heads, blocks + 1, shared]: what rescales earlier weights; the last are the sums
}

impl Kernel for Weigh<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Weigh { keys, window, scale, shared, scores, factors } = self;
        let blocks = keys.div_ceil(BLOCK_SIZE);
        let heads = scores.chunks_exact_mut(blocks * shared * BLOCK_SIZE);
        for (scores, factors) in heads.zip(factors.chunks_exact_mut((blocks + 1) * shared)) {
            for head in 0..shared {
                let mut softmax = OnlineSoftmax::START;
                for block in 0..blocks {
                    let seen = (keys - block * BLOCK_SIZE).min(BLOCK_SIZE);
                    let scores = &mut scores[(block * shared + head) * BLOCK_SIZE..];
                    let scores = scores.first_chunk_mut().expect("a whole block");
                    let these = (too_far(keys, window, block * BLOCK_SIZE), seen);
                    step_within(&mut softmax, simd, scores, these, scale);
                    factors[block * shared + head] = softmax.factor;
                }
                factors[blocks * shared + head] = softmax.sum;
            }
        }
    }
}

/// Adds up values, each times its weight, for all heads of the query that share them. Sixteens of their columns are
/// numbered head by head: [kv_heads, width / 16]
pub struct Mix<'a> {
    pub blocks: &'a [BlockView<'a>],
    pub keys: usize,
    pub width: usize,
    pub shared: usize,
    pub first: usize,               // of these sixteens
    pub weights: &'a [f32],         // [kv_heads, blocks, shared, BLOCK_SIZE]
    pub factors: &'a [f32],         // [kv_heads, blocks + 1, shared]
    pub mixed: &'a mut [[f32; 16]], // [sixteens, shared], with anything in it
}

impl Kernel for Mix<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let all = self.first | (self.mixed.len() / self.shared) | (self.width / 16);
        match (self.shared.is_multiple_of(2), S::REGISTER_SETS >= LARGE_TILE) {
            (true, true) if all.is_multiple_of(8) => mix::<S, 2, 8>(simd, self),
            (true, true) => mix::<S, 2, 4>(simd, self),
            (true, false) => mix::<S, 2, 2>(simd, self),
            (false, _) => mix::<S, 1, 4>(simd, self),
        }
    }
}

/// `M` heads and `N` sixteens at a time, so that their sums stay in registers.
#[inline(always)]
fn mix<S: Simd, const M: usize, const N: usize>(simd: S, mix: Mix) {
    let Mix { blocks, keys, width, shared, mut first, weights, factors, mut mixed } = mix;
    let (sixteens, count) = (width / 16, blocks.len());
    mixed.fill([0.0; 16]);
    while !mixed.is_empty() {
        // As far as this head goes.
        let (head, start) = (first / sixteens, first % sixteens);
        let columns = (sixteens - start).min(mixed.len() / shared);
        let (now, rest) = mixed.split_at_mut(columns * shared);
        for (index, block) in blocks.iter().enumerate() {
            let seen = (keys - index * BLOCK_SIZE).min(BLOCK_SIZE);
            let values = block.head(head, width).1.as_chunks::<16>().0;
            let next = blocks[(index + 1).min(count - 1)].head(head, width).1;
            let ahead = next.as_ptr().addr().wrapping_sub(values.as_ptr().addr());
            for group in (0..shared).step_by(M) {
                let weights = &weights.as_chunks::<BLOCK_SIZE>().0
                    [(head * count + index) * shared + group..];
                let factors = &factors[(head * (count + 1) + index) * shared + group..];
                let mut at = 0;
                while at < columns {
                    let rows = values.chunks_exact(sixteens).take(seen);
                    let values = rows.map(|row| &row[start + at..]);
                    let mixed = now[at * shared..].chunks_exact_mut(shared);
                    let mixed = mixed.map(|heads| &mut heads[group..]);
                    if at + N <= columns {
                        add::<S, M, N>(simd, values, ahead, weights, factors, mixed);
                        at += N;
                    } else {
                        add::<S, M, 1>(simd, values, ahead, weights, factors, mixed);
                        at += 1;
                    }
                }
            }
        }
        (mixed, first) = (rest, first + columns);
    }
}

/// Adds the values of a block to `N` sixteens of `M` heads. values: [keys, N], weights: [M, BLOCK_SIZE], factors: [M],
/// mixed: [N, M]
#[inline(always)]
fn add<'a, S: Simd, const M: usize, const N: usize>(
    simd: S,
    values: impl Iterator<Item = &'a [[f32; 16]]>,
    ahead: usize, // in bytes, where the values are that come next
    weights: &[[f32; BLOCK_SIZE]],
    factors: &[f32],
    mixed: impl Iterator<Item = &'a mut [[f32; 16]]>,
) {
    let weights: &[_; M] = weights.first_chunk().expect("those of each head");
    let mut places = mixed;
    let mixed: [&mut [[f32; 16]]; N] = from_fn(|_| places.next().expect("as many sixteens"));
    // A larger score has made everything mixed so far count less.
    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for m in 0..M {
        let factor = simd.load(&[factors[m]; 16]);
        for n in 0..N {
            sums[m][n] = simd.multiply(simd.load(&mixed[n][m]), factor);
        }
    }
    for (key, row) in values.enumerate().take(BLOCK_SIZE) {
        let row: &[_; N] = row.first_chunk().expect("as many sixteens");
        simd.fetch(row.as_flattened(), ahead);
        let mut now = [sums[0][0]; M];
        for m in 0..M {
            now[m] = simd.load(&[weights[m][key]; 16]);
        }
        for n in 0..N {
            let value = simd.load(&row[n]);
            for m in 0..M {
                sums[m][n] = simd.mul_add(now[m], value, sums[m][n]);
            }
        }
    }
    for m in 0..M {
        for n in 0..N {
            simd.store(sums[m][n], &mut mixed[n][m]);
        }
    }
}
