use std::array::from_fn;

use bytemuck::Pod;
use half::f16;
use ndarray::{ArrayView2, ArrayViewMut2};

use super::block_view::BlockView;
use super::kv_type::KvType;
use super::window::{first_block, step_within, too_far};
use crate::base::kernels::{
    BLOCK_SIZE, Number, OnlineSoftmax, add_weighted, dots, row_of, rows_mut, sixteen_of,
};
use crate::simd::Simd;

/// A thread's scratch memory while some queries go through the blocks of keys. All heads of a query that share a
/// kv head are rows, and `M` rows are a tile. What is read together is stored together, in sixteens.
pub struct AttentionScratch<'a, const M: usize, const N: usize> {
    head_dim: usize,
    position: usize,                                // of the first query
    window: usize,                                  // of keys that a query sees
    heads: usize,                                   // of a query
    rows: usize,                                    // queries * heads
    x: &'a mut [[[f32; 16]; M]],                    // the queries: [tiles, sixteens]
    mixed: &'a mut [[[[f32; 16]; N]; M]],           // their values so far: [tiles, groups]
    scores: &'a mut [[[f32; BLOCK_SIZE]; M]],       // of a block, then its weights: [tiles]
    softmax: Vec<[OnlineSoftmax; M]>,               // [tiles]
    keys: &'a mut [[[f32; 16]; N]],                 // of a block: [BLOCK_SIZE / N, sixteens]
    values: &'a mut [[[[f32; 16]; N]; BLOCK_SIZE]], // of a block: [groups]
}

impl<'a, const M: usize, const N: usize> AttentionScratch<'a, M, N> {
    /// How long the parts of the memory are, in sixteens: queries, mixtures, keys, values, scores. Rows are padded to
    /// whole tiles, and the sixteens of a head to whole groups of `N`.
    pub fn sizes(rows: usize, head_dim: usize) -> [usize; 5] {
        let (tiles, sixteens) = (rows.div_ceil(M), head_dim.div_ceil(16));
        let (rows, width) = (tiles * M, sixteens.next_multiple_of(N));
        [
            rows * sixteens,
            rows * width,
            BLOCK_SIZE * sixteens,
            BLOCK_SIZE * width,
            rows * BLOCK_SIZE / 16,
        ]
    }

    /// q: [queries, heads * head_dim]
    #[inline(always)]
    pub fn new(
        q: ArrayView2<f32>,
        head_dim: usize,
        position: usize,
        window: usize,
        mut scratch: &'a mut [[f32; 16]],
    ) -> AttentionScratch<'a, M, N> {
        let heads = q.ncols() / head_dim;
        let rows = q.nrows() * heads;
        let sixteens = head_dim.div_ceil(16);
        let mut part = |size| scratch.split_off_mut(..size).expect("there is room");
        let [x, mixed, keys, values, scores] = Self::sizes(rows, head_dim).map(&mut part);
        let own = AttentionScratch {
            head_dim,
            position,
            window,
            heads,
            rows,
            x: x.as_chunks_mut().0,
            mixed: mixed.as_chunks_mut().0.as_chunks_mut().0,
            scores: scores.as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0,
            softmax: vec![[OnlineSoftmax::START; M]; rows.div_ceil(M)],
            keys: keys.as_chunks_mut().0,
            values: values.as_chunks_mut().0.as_chunks_mut().0,
        };
        own.x.fill([[0.0; 16]; M]);
        own.mixed.fill([[[0.0; 16]; N]; M]);
        for row in 0..rows {
            let numbers = &row_of(q, row / heads)[row % heads * head_dim..][..head_dim];
            for i in 0..sixteens {
                own.x[row / M * sixteens + i][row % M] = sixteen_of(numbers, i);
            }
        }
        own
    }

    /// Attends to all blocks, one after the other, with one head of their keys and values.
    #[inline(always)]
    pub fn attend<S: Simd>(
        mut self,
        simd: S,
        blocks: &[BlockView],
        head: usize,
        out: ArrayViewMut2<f32>,
    ) {
        let first = first_block(self.position, self.window);
        for (index, block) in blocks.iter().enumerate().skip(first) {
            let next = blocks.get(index + 1).unwrap_or(block);
            match block.kv_type {
                KvType::F32 => self.load::<S, f32>(simd, block, next, head),
                KvType::F16 => self.load::<S, f16>(simd, block, next, head),
                KvType::Q8_0 => unreachable!("eight bits are multiplied as integers"),
            }
            self.attend_block(simd, index * BLOCK_SIZE);
        }
        self.end(out);
    }

    /// Widens one head's keys and values of a block.
    #[inline(always)]
    fn load<S: Simd, W: Number + Pod>(
        &mut self,
        simd: S,
        block: &BlockView,
        next: &BlockView,
        head: usize,
    ) {
        let sixteens = self.head_dim.div_ceil(16);
        let [(k, v), next] = [block, next].map(|block| block.head::<W>(head, sixteens * 16));
        for i in 0..block.rows {
            let these = i * sixteens * 16..(i + 1) * sixteens * 16;
            // Prefetches the next block while this one is worked on.
            simd.fetch(&next.0[these.clone()], 0);
            simd.fetch(&next.1[these.clone()], 0);
            let (keys, values) = (k[these.clone()].as_chunks().0, v[these].as_chunks().0);
            for j in 0..sixteens {
                simd.store(
                    W::load(simd, &keys[j]),
                    &mut self.keys[i / N * sixteens + j][i % N],
                );
                simd.store(W::load(simd, &values[j]), &mut self.values[j / N][i][j % N]);
            }
        }
    }

    /// Attends to the block that begins at `start`, whose keys and values have been copied.
    #[inline(always)]
    fn attend_block<S: Simd>(&mut self, simd: S, start: usize) {
        let &mut AttentionScratch { head_dim, position, window, heads, rows, .. } = self;
        let sixteens = head_dim.div_ceil(16);
        let groups = sixteens.div_ceil(N);
        let scale = 1.0 / (head_dim as f32).sqrt();
        // How many keys of the block a row sees: its query's own and those before it. Rows that only pad the
        // last tile see what the last row does.
        let keys = |row: usize| position + row.min(rows - 1) / heads + 1;
        let seen = |row: usize| keys(row).saturating_sub(start).min(BLOCK_SIZE);
        // The first queries may come before the block.
        let first = start.saturating_sub(position) * heads / M;
        for tile in first..self.scores.len() {
            let seen: [usize; M] = from_fn(|m| seen(tile * M + m));
            let (x, scores) = (&self.x[tile * sixteens..], &mut self.scores[tile]);
            let of_block = self.keys.chunks_exact(sixteens).enumerate();
            for (i, keys) in of_block.take(seen[M - 1].div_ceil(N)) {
                dots(simd, x, keys, scores, i * N);
            }
            for m in 0..M {
                let these = (too_far(keys(tile * M + m), window, start), seen[m]);
                step_within(&mut self.softmax[tile][m], simd, &mut scores[m], these, scale);
            }
            let mixed = &mut self.mixed[tile * groups..][..groups];
            for (mixed, values) in mixed.iter_mut().zip(&*self.values) {
                add_weighted(simd, scores, seen, &self.softmax[tile], values, mixed);
            }
        }
    }

    /// Divides each mixture by the sum of its weights. out: [queries, heads * head_dim]
    #[inline(always)]
    fn end(self, mut out: ArrayViewMut2<f32>) {
        let groups = self.head_dim.div_ceil(16).div_ceil(N);
        for (query, out) in rows_mut(&mut out).enumerate() {
            for (head, out) in out.chunks_mut(self.head_dim).enumerate() {
                let row = query * self.heads + head;
                let (tile, m) = (row / M, row % M);
                for (i, out) in out.chunks_mut(16).enumerate() {
                    let mixed = &self.mixed[tile * groups + i / N][m][i % N];
                    for (out, mixed) in out.iter_mut().zip(mixed) {
                        *out = mixed / self.softmax[tile][m].sum;
                    }
                }
            }
        }
    }
}
