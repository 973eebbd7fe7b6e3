use std::array::from_fn;
use std::ops::Range;

use ndarray::{ArrayView2, aview1};

use super::attend::Attend;
use super::block_view::{BlockView, Line};
use super::decode_attention::{Mix, Score};
use super::eight_bits::{GROUP, parts, row_bytes, unpack};
use super::window::{first_block, step_within, too_far};
use crate::base::kernels::{
    BLOCK_SIZE, Group, OnlineSoftmax, Q8_0, Round, packed_tile, row_of, rows_mut,
};
use crate::simd::{Kernel, Simd, Unpacked};

/// How many groups the weights of a block are.
const OF_BLOCK: usize = BLOCK_SIZE / GROUP;

/// Keys and values of a head in a block, ready to be multiplied with, `M` rows and `N` panels at a time.
struct Panels<const M: usize, const N: usize> {
    keys: Vec<Unpacked>,       // [BLOCK_SIZE / 16, groups]
    values: Vec<Unpacked>,     // [sixteens, OF_BLOCK]
    scales: [f32; BLOCK_SIZE], // of the values
    products: Vec<[f32; 16]>,
}

impl<const M: usize, const N: usize> Panels<M, N> {
    fn new(groups: usize) -> Panels<M, N> {
        let one = Unpacked { factors: [[1.0; 16]; 2], ..Unpacked::default() };
        let (keys, values) =
            (vec![one; groups * BLOCK_SIZE / 16], vec![one; groups * 2 * OF_BLOCK]);
        let products = vec![[0.0; 16]; M * usize::max(2 * groups, BLOCK_SIZE / 16)];
        Panels { keys, values, scales: [0.0; BLOCK_SIZE], products }
    }

    #[inline(always)]
    fn load_keys<S: Simd>(&mut self, simd: S, lines: &[Line], next: &[Line]) {
        unpack(simd, lines, next, &mut self.keys);
        for (scales, panel) in parts(lines).1.iter().zip(&mut self.keys) {
            simd.store(simd.load_bf16(scales), &mut panel.factors[0]);
        }
    }

    #[inline(always)]
    fn load_values<S: Simd>(&mut self, simd: S, lines: &[Line], next: &[Line]) {
        unpack(simd, lines, next, &mut self.values);
        for (from, to) in parts(lines).1.iter().zip(self.scales.as_chunks_mut().0) {
            simd.store(simd.load_bf16(from), to);
        }
    }

    /// The scores of a block, as exactly as integers have them.
    #[inline(always)]
    fn score<S: Simd>(&mut self, simd: S, x: [&[Group]; M]) -> [[f32; BLOCK_SIZE]; M] {
        multiply::<S, M, N>(simd, x, &self.keys, &mut self.products);
        let scores = self.products.as_flattened().as_chunks().0;
        from_fn(|m| scores[m])
    }

    /// Adds values to `M` rows of sixteens, each times its weight. A weight takes the scale of its value with it before it is
    /// rounded itself; one of zero is for a value that isn't seen, and may not even be written.
    #[inline(always)]
    fn mix<S: Simd>(
        &mut self,
        simd: S,
        weights: &[[f32; BLOCK_SIZE]; M],
        factors: [f32; M],
        sixteens: Range<usize>,
        mixed: [&mut [[f32; 16]]; M],
    ) {
        let mut scaled = *weights;
        for weights in &mut scaled {
            for (weight, scale) in weights.iter_mut().zip(&self.scales) {
                *weight = if *weight == 0.0 { 0.0 } else { *weight * scale };
            }
        }
        let mut rounded = [[Group::default(); OF_BLOCK]; M];
        let x = aview1(scaled.as_flattened());
        let x = x.into_shape_with_order((1, M * BLOCK_SIZE)).expect("a single row");
        Round { x, out: rounded.as_flattened_mut() }.run(simd);
        let values = &self.values[sixteens.start * OF_BLOCK..sixteens.end * OF_BLOCK];
        multiply::<S, M, N>(
            simd,
            rounded.each_ref().map(|x| &x[..]),
            values,
            &mut self.products,
        );
        let products = self.products.chunks_exact(sixteens.len());
        for ((mixed, products), factor) in mixed.into_iter().zip(products).zip(factors) {
            let factor = simd.load(&[factor; 16]);
            for (mixed, product) in mixed.iter_mut().zip(products) {
                simd.store(simd.mul_add(simd.load(mixed), factor, simd.load(product)), mixed);
            }
        }
    }
}

/// `M` rows times all panels, [panels, groups], as in chapter 6. out: [M, panels]
#[inline(always)]
fn multiply<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&[Group]; M],
    panels: &[Unpacked],
    out: &mut [[f32; 16]],
) {
    let groups = x[0].len();
    let count = panels.len() / groups;
    for first in (0..count).step_by(N) {
        // Past the end the last panel is taken once more, and its sums have no place to go.
        let these = from_fn(|n| &panels[(first + n).min(count - 1) * groups..][..groups]);
        let sums = packed_tile::<S, Q8_0, M, N>(simd, x, these, || ());
        for m in 0..M {
            for (out, sums) in out[m * count..][first..count].iter_mut().zip(sums[m]) {
                simd.store(sums, out);
            }
        }
    }
}

/// Rounds rows of queries. rows: [head_dim] each
#[inline(always)]
fn round<'a, S: Simd>(
    simd: S,
    rows: impl ExactSizeIterator<Item = &'a [f32]>,
    groups: usize,
) -> Vec<Group> {
    let (count, width) = (rows.len(), groups * GROUP);
    let mut padded = vec![0.0; count * width];
    for (to, row) in padded.chunks_exact_mut(width).zip(rows) {
        to[..row.len()].copy_from_slice(row);
    }
    let mut out = vec![Group::default(); count * groups];
    let x = ArrayView2::from_shape((count, width), &padded).expect("rows of one width");
    Round { x, out: &mut out }.run(simd);
    out
}

/// What `Attend` does with eight bits.
#[inline(always)]
pub fn attend<S: Simd, const M: usize, const N: usize>(simd: S, kernel: Attend) {
    let Attend { q, blocks, head, head_dim, position, window, mut out, .. } = kernel;
    let (groups, heads) = (head_dim.div_ceil(GROUP), q.ncols() / head_dim);
    let (rows, scale) = (q.nrows() * heads, 1.0 / (head_dim as f32).sqrt());
    let of_row = |row: usize| &row_of(q, row / heads)[row % heads * head_dim..][..head_dim];
    let x = round(simd, (0..rows).map(of_row), groups);
    let mut panels = Panels::<M, N>::new(groups);
    let mut softmax = vec![[OnlineSoftmax::START; M]; rows.div_ceil(M)];
    let mut mixed = vec![[0.0; 16]; softmax.len() * M * 2 * groups];
    let first = first_block(position, window);
    for (index, block) in blocks.iter().enumerate().skip(first) {
        let next = blocks.get(index + 1).unwrap_or(block);
        let [now, next] = [block, next].map(|block| of_head(block, head, groups));
        panels.load_keys(simd, now.0, next.0);
        panels.load_values(simd, now.1, next.1);
        let start = index * BLOCK_SIZE;
        // The first queries may come before the block.
        let first = start.saturating_sub(position) * heads / M;
        let tiles = softmax.iter_mut().zip(mixed.chunks_exact_mut(M * 2 * groups));
        for (tile, (softmax, mixed)) in tiles.enumerate().skip(first) {
            let row = |m: usize| (tile * M + m).min(rows - 1);
            let mut scores = panels.score(simd, from_fn(|m| &x[row(m) * groups..][..groups]));
            for m in 0..M {
                let keys = position + row(m) / heads + 1;
                let seen = keys.saturating_sub(start).min(BLOCK_SIZE);
                let these = (too_far(keys, window, start), seen);
                step_within(&mut softmax[m], simd, &mut scores[m], these, scale);
            }
            let factors = softmax.map(|softmax| softmax.factor);
            let mut each = mixed.chunks_exact_mut(2 * groups);
            let mixed = from_fn(|_| each.next().expect("as many rows"));
            panels.mix(simd, &scores, factors, 0..2 * groups, mixed);
        }
    }
    for (query, out) in rows_mut(&mut out).enumerate() {
        for (head, out) in out.chunks_exact_mut(head_dim).enumerate() {
            let row = query * heads + head;
            let mixed = mixed[row * 2 * groups..][..2 * groups].as_flattened();
            for (out, mixed) in out.iter_mut().zip(mixed) {
                *out = mixed / softmax[row / M][row % M].sum;
            }
        }
    }
}

#[inline(always)]
fn of_head<'a>(block: &BlockView<'a>, head: usize, groups: usize) -> (&'a [Line], &'a [Line]) {
    let lines = row_bytes(groups * GROUP);
    (&block.keys[head * lines..][..lines], &block.values[head * lines..][..lines])
}

/// What `Score` does with eight bits.
#[inline(always)]
pub fn score<S: Simd>(simd: S, kernel: Score) {
    let Score { q, width, shared, blocks, first, scores } = kernel;
    let groups = width.div_ceil(GROUP);
    let x = round(simd, q.chunks_exact(width), groups);
    let mut panels = Panels::<1, 4>::new(groups);
    for (pair, scores) in (first..).zip(scores.chunks_exact_mut(shared * BLOCK_SIZE)) {
        let (head, index) = (pair / blocks.len(), pair % blocks.len());
        let next = blocks[(index + 1).min(blocks.len() - 1)];
        panels.load_keys(
            simd,
            of_head(&blocks[index], head, groups).0,
            of_head(&next, head, groups).0,
        );
        for (of_query, scores) in (head * shared..).zip(scores.as_chunks_mut().0) {
            [*scores] = panels.score(simd, [&x[of_query * groups..][..groups]]);
        }
    }
}

/// What `Mix` does with eight bits.
#[inline(always)]
pub fn mix<S: Simd>(simd: S, kernel: Mix) {
    let Mix { blocks, width, shared, mut first, weights, factors, mut mixed, .. } = kernel;
    let (sixteens, groups, count) = (width / 16, width.div_ceil(GROUP), blocks.len());
    let mut panels = Panels::<1, 4>::new(groups);
    let mut sums = vec![[0.0; 16]; shared * sixteens];
    while !mixed.is_empty() {
        // As far as this head goes.
        let (head, start) = (first / sixteens, first % sixteens);
        let columns = (sixteens - start).min(mixed.len() / shared);
        sums.fill([0.0; 16]);
        for (index, block) in blocks.iter().enumerate() {
            let next = blocks.get(index + 1).unwrap_or(block);
            panels.load_values(
                simd,
                of_head(block, head, groups).1,
                of_head(next, head, groups).1,
            );
            for (of_head, sums) in sums.chunks_exact_mut(sixteens).enumerate() {
                let weights = weights.as_chunks().0[(head * count + index) * shared + of_head];
                let factor = factors[(head * (count + 1) + index) * shared + of_head];
                panels.mix(
                    simd,
                    &[weights],
                    [factor],
                    start..start + columns,
                    [&mut sums[..columns]],
                );
            }
        }
        let (now, rest) = mixed.split_at_mut(columns * shared);
        for (column, now) in now.chunks_exact_mut(shared).enumerate() {
            for (of_head, now) in now.iter_mut().enumerate() {
                *now = sums[of_head * sixteens + column];
            }
        }
        (mixed, first) = (rest, first + columns);
    }
}
