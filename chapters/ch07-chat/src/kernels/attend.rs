use std::ops::Range;

use ndarray::{ArrayView2, ArrayViewMut2, s};

use super::lone::attend_alone;
use super::running::{PIECE, Piece};
use super::tile::LARGE_TILE;
use super::work::Work;
use crate::simd::{Job, Simd};

/// Attention for some queries, over all keys and values up to their own, piece by piece. Many queries come with the
/// heads that share one kv head, a lone one may come with all its heads.
/// q and out: [queries, heads * head_dim]
pub struct Attend<'a> {
    pub q: ArrayView2<'a, f32>,
    pub pieces: &'a [Piece<'a>], // of the whole text, from position 0 on
    pub columns: Range<usize>,   // where in a row the keys and values of these heads are
    pub head_dim: usize,
    pub position: usize, // of query 0
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [[f32; 16]], // as much as `room` says, with anything in it
}

/// The tile for CPUs with enough registers, and the one for the others.
type Large<'a> = Work<'a, 6, 4>;
type Small<'a> = Work<'a, 3, 2>;

impl Attend<'_> {
    /// How much scratch memory so many queries with so many heads need, in sixteens.
    pub fn room(queries: usize, heads: usize, head_dim: usize) -> usize {
        if queries == 1 {
            return 0;
        }
        let rows = queries * heads;
        let sizes = [Large::sizes(rows, head_dim), Small::sizes(rows, head_dim)];
        sizes.map(|parts| parts.iter().sum()).into_iter().fold(0, usize::max)
    }
}

impl Job for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Attend { q, pieces, columns, head_dim, position, out, scratch } = self;
        let end = position + q.nrows();
        // The last piece ends with the last query's own key.
        let pieces =
            pieces[..end.div_ceil(PIECE)].iter().enumerate().map(|(piece, &(k, v))| {
                let seen = s![..k.nrows().min(end - piece * PIECE), columns.clone()];
                (k.slice_move(seen), v.slice_move(seen))
            });
        if q.nrows() == 1 {
            attend_alone(simd, q, pieces, head_dim, out);
        } else if S::REGISTER_SETS >= LARGE_TILE {
            Large::new(q, head_dim, position, scratch).attend(simd, pieces, out);
        } else {
            Small::new(q, head_dim, position, scratch).attend(simd, pieces, out);
        }
    }
}
