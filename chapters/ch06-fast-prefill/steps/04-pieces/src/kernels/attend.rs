use ndarray::{ArrayView2, ArrayViewMut2};

use super::lone::attend_alone;
use super::running::PIECE;
use super::tile::LARGE_TILE;
use super::work::Work;
use crate::simd::{Job, Simd};

/// Takes some queries through all keys and values up to their own, piece by piece.
/// q and out: [queries, heads * head_dim], k and v: [keys, kv_heads * head_dim]
pub struct Attend<'a> {
    pub q: ArrayView2<'a, f32>,
    pub k: ArrayView2<'a, f32>,
    pub v: ArrayView2<'a, f32>,
    pub head_dim: usize,
    pub position: usize, // of query 0; key 0 is at position 0
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [[f32; 16]], // as much as `room` says, with anything in it
}

impl Attend<'_> {
    /// How many sixteens of numbers it takes to work on so many rows for each of some kv heads.
    pub fn room(rows: usize, kv_heads: usize, head_dim: usize) -> usize {
        // Rows are filled up to whole tiles, and the sixteens of a head as well.
        let (rows, width) = (kv_heads * (rows + 5), head_dim.div_ceil(16) + 3);
        2 * rows * width + 2 * PIECE * width + rows * PIECE / 16
    }

    /// `M` rows at a time, with `N` keys or with `N` sixteens of values.
    #[inline(always)]
    fn in_tiles<S: Simd, const M: usize, const N: usize>(self, simd: S) {
        let Attend { q, k, v, head_dim, position, out, scratch } = self;
        let (kv_heads, end) = (k.ncols() / head_dim, position + q.nrows());
        let mut work = Work::<M, N>::new(q, kv_heads, head_dim, position, scratch);
        for start in (0..end).step_by(PIECE) {
            for kv_head in 0..kv_heads {
                work.load(simd, k, v, kv_head, start..end);
                work.go_on(simd, kv_head, start);
            }
        }
        work.end(out);
    }
}

impl Job for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.q.nrows() == 1 {
            attend_alone(simd, self.q, self.k, self.v, self.head_dim, self.out);
        } else if S::GROUPS >= LARGE_TILE {
            self.in_tiles::<S, 6, 4>(simd);
        } else {
            self.in_tiles::<S, 3, 2>(simd);
        }
    }
}
