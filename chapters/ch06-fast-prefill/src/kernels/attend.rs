use ndarray::{ArrayView2, ArrayViewMut2, s};

use super::lone::attend_alone;
use super::running::PIECE;
use super::tile::LARGE_TILE;
use super::work::Work;
use crate::simd::{Job, Simd};

/// Takes some queries through all keys and values up to their own, piece by piece. Many of them with the heads
/// that share one kv head, a lone one also with all its heads.
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
    /// How many sixteens of numbers it takes to work on so many queries with so many heads.
    pub fn room(queries: usize, heads: usize, head_dim: usize) -> usize {
        if queries == 1 {
            return 0;
        }
        // Rows are filled up to whole tiles, and the sixteens of a head to whole blocks.
        let rows = (queries * heads).next_multiple_of(6);
        let width = head_dim.div_ceil(16).next_multiple_of(4);
        2 * rows * width + 2 * PIECE * width + rows * PIECE / 16
    }

    /// `M` rows at a time, with `N` keys or with `N` sixteens of values.
    #[inline(always)]
    fn in_tiles<S: Simd, const M: usize, const N: usize>(self, simd: S) {
        let Attend { q, k, v, head_dim, position, out, scratch } = self;
        assert_eq!(k.ncols(), head_dim, "many queries take one kv head after the other");
        let end = position + q.nrows();
        let mut work = Work::<M, N>::new(q, head_dim, position, scratch);
        for start in (0..end).step_by(PIECE) {
            work.load(simd, k, v, start..end);
            work.go_on(simd, start);
        }
        work.end(out);
    }
}

impl Job for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.q.nrows() == 1 {
            let seen = s![..self.position + 1, ..];
            let (k, v) = (self.k.slice_move(seen), self.v.slice_move(seen));
            attend_alone(simd, self.q, k, v, self.head_dim, self.out);
        } else if S::REGISTER_SETS >= LARGE_TILE {
            self.in_tiles::<S, 6, 4>(simd);
        } else {
            self.in_tiles::<S, 3, 2>(simd);
        }
    }
}
