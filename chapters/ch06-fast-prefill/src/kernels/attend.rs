use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::pieces::{add_weighted, dots};
use super::rows::{row_of, sixteen_of};
use super::running::{PIECE, Running};
use super::tile::LARGE_TILE;
use crate::simd::{Job, Simd};

/// Takes some queries through all keys and values up to their own, piece by piece. All heads of a query
/// that share a kv head are rows that go together.
/// q and out: [queries, heads * head_dim], k and v: [keys, kv_heads * head_dim]
pub struct Attend<'a> {
    pub q: ArrayView2<'a, f32>,
    pub k: ArrayView2<'a, f32>,
    pub v: ArrayView2<'a, f32>,
    pub head_dim: usize,
    pub position: usize, // of query 0; key 0 is at position 0
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [[f32; 16]], // `room` of them, with anything in them
}

impl Job for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let few = self.q.nrows() * (self.q.ncols() / self.k.ncols()) < 6;
        match (S::GROUPS >= LARGE_TILE, few) {
            (true, false) => self.in_tiles::<S, 6, 4>(simd),
            (true, true) => self.in_tiles::<S, 2, 4>(simd),
            (false, _) => self.in_tiles::<S, 3, 2>(simd),
        }
    }
}

impl Attend<'_> {
    /// How many sixteens of numbers it takes to work on as many rows for each of some kv heads.
    pub fn room(rows: usize, kv_heads: usize, head_dim: usize) -> usize {
        // Rows are filled up to whole tiles, and the sixteens of a head as well.
        let (rows, width) = (kv_heads * (rows + 5), head_dim.div_ceil(16) + 3);
        2 * rows * width + 2 * PIECE * width + rows * PIECE / 16
    }

    /// `M` rows at a time, with `N` keys or with `N` sixteens of values.
    #[inline(always)]
    fn in_tiles<S: Simd, const M: usize, const N: usize>(self, simd: S) {
        let Attend { q, k, v, head_dim, position, mut out, scratch } = self;
        let (queries, kv_heads) = (q.nrows(), k.ncols() / head_dim);
        let heads = q.ncols() / k.ncols(); // that share a kv head
        let (rows, end) = (queries * heads, position + queries);
        let (tiles, steps) = (rows.div_ceil(M), head_dim.div_ceil(16));
        let blocks = steps.div_ceil(N);
        let scale = 1.0 / (head_dim as f32).sqrt();
        let columns = |head: usize| head * head_dim..(head + 1) * head_dim;

        // Packed: what is needed together lies together.
        let (x, scratch) = scratch.split_at_mut(kv_heads * tiles * steps * M);
        let (mixed, scratch) = scratch.split_at_mut(kv_heads * tiles * blocks * M * N);
        let (keys, scratch) = scratch.split_at_mut(PIECE / N * steps * N);
        let (values, scratch) = scratch.split_at_mut(blocks * PIECE * N);
        let x = x.as_chunks_mut::<M>().0; // [kv_heads * tiles * steps]
        let mixed = mixed.as_chunks_mut::<N>().0.as_chunks_mut::<M>().0; // [kv_heads * tiles * blocks]
        let keys = keys.as_chunks_mut::<N>().0; // [PIECE / N * steps]
        let values = values.as_chunks_mut::<N>().0.as_chunks_mut::<PIECE>().0; // [blocks]
        let scores = scratch.as_flattened_mut().as_chunks_mut::<PIECE>().0;
        let scores = &mut scores.as_chunks_mut::<M>().0[..kv_heads * tiles];
        let mut running = vec![[Running::START; M]; kv_heads * tiles];

        x.fill([[0.0; 16]; M]);
        mixed.fill([[[0.0; 16]; N]; M]);
        for kv_head in 0..kv_heads {
            for row in 0..rows {
                let head = kv_head * heads + row % heads;
                let numbers = &row_of(q, row / heads)[columns(head)];
                for step in 0..steps {
                    let tile = kv_head * tiles + row / M;
                    x[tile * steps + step][row % M] = sixteen_of(numbers, step);
                }
            }
        }
        let pieces = (0..end).step_by(PIECE);
        for (start, kv_head) in
            pieces.flat_map(|start| (0..kv_heads).map(move |head| (start, head)))
        {
            for i in 0..PIECE.min(end - start) {
                let at = |i: usize, rows| &row_of(rows, start + i)[columns(kv_head)];
                // The next piece comes from memory while this one is worked on.
                if start + PIECE + i < end {
                    simd.fetch(at(PIECE + i, k), 0);
                    simd.fetch(at(PIECE + i, v), 0);
                }
                let (key, value) = (at(i, k), at(i, v));
                for step in 0..steps {
                    keys[i / N * steps + step][i % N] = sixteen_of(key, step);
                    values[step / N][i][step % N] = sixteen_of(value, step);
                }
            }
            // How many keys of the piece the query sees. Rows that fill up a tile see what the last one does.
            let seen = |row: usize| {
                (position + row.min(rows - 1) / heads + 1).saturating_sub(start).min(PIECE)
            };
            // The first queries may come before the piece.
            let first = start.saturating_sub(position) * heads / M;
            let of_kv_head = kv_head * tiles;
            for tile in first..tiles {
                let (x, scores) =
                    (&x[(of_kv_head + tile) * steps..], &mut scores[of_kv_head + tile]);
                let last = seen(tile * M + M - 1);
                for (i, keys) in keys.chunks_exact(steps).enumerate().take(last.div_ceil(N)) {
                    dots(simd, x, keys, scores, i * N);
                }
            }
            for tile in first..tiles {
                let (running, scores) =
                    (&mut running[of_kv_head + tile], &mut scores[of_kv_head + tile]);
                for m in 0..M {
                    running[m].step(simd, &mut scores[m], seen(tile * M + m), scale);
                }
            }
            for tile in first..tiles {
                let seen: [usize; M] = from_fn(|m| seen(tile * M + m));
                let (running, weights) =
                    (&running[of_kv_head + tile], &scores[of_kv_head + tile]);
                let mixed = &mut mixed[(of_kv_head + tile) * blocks..];
                for (mixed, values) in mixed.iter_mut().zip(&*values) {
                    add_weighted(simd, weights, seen, running, values, mixed);
                }
            }
        }
        for kv_head in 0..kv_heads {
            for row in 0..rows {
                let (tile, m) = (kv_head * tiles + row / M, row % M);
                let mut out = out.row_mut(row / heads);
                let out = out.as_slice_mut().expect("a row lies in one piece");
                let out = &mut out[columns(kv_head * heads + row % heads)];
                for (step, out) in out.chunks_mut(16).enumerate() {
                    let mixed = &mixed[tile * blocks + step / N][m][step % N];
                    for (out, mixed) in out.iter_mut().zip(mixed) {
                        *out = mixed / running[tile][m].sum;
                    }
                }
            }
        }
    }
}
