use std::ops::Range;

use ndarray::{ArrayView2, ArrayViewMut2, s};

use super::attention_scratch::AttentionScratch;
use super::decode_attention::decode_attention;
use super::online_softmax::{BLOCK_SIZE, BlockView};
use super::tile::LARGE_TILE;
use crate::simd::{Kernel, Simd};

/// Attention for some queries, over all keys and values up to their own, piece by piece. Many queries come with the
/// heads that share one kv head, a lone one may come with all its heads.
/// q and out: [queries, heads * head_dim]
pub struct Attend<'a> {
    pub q: ArrayView2<'a, f32>,
    pub blocks: &'a [BlockView<'a>], // of the whole text, from position 0 on
    pub columns: Range<usize>,       // where in a row the keys and values of these heads are
    pub head_dim: usize,
    pub position: usize, // of query 0
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [[f32; 16]], // as much as `room` says, with anything in it
}

/// The tile for CPUs with enough registers, and the one for the others.
type Large<'a> = AttentionScratch<'a, 6, 4>;
type Small<'a> = AttentionScratch<'a, 3, 2>;

impl Attend<'_> {
    /// How much scratch memory so many queries with so many heads need, in sixteens.
    pub fn scratch_len(queries: usize, heads: usize, head_dim: usize) -> usize {
        if queries == 1 {
            return 0;
        }
        let rows = queries * heads;
        let sizes = [Large::sizes(rows, head_dim), Small::sizes(rows, head_dim)];
        sizes.map(|parts| parts.iter().sum()).into_iter().fold(0, usize::max)
    }
}

impl Kernel for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Attend { q, blocks, columns, head_dim, position, out, scratch } = self;
        let end = position + q.nrows();
        // The last block ends with the last query's own key.
        let blocks =
            blocks[..end.div_ceil(BLOCK_SIZE)].iter().enumerate().map(|(block, &(k, v))| {
                let seen = s![..k.nrows().min(end - block * BLOCK_SIZE), columns.clone()];
                (k.slice_move(seen), v.slice_move(seen))
            });
        if q.nrows() == 1 {
            decode_attention(simd, q, blocks, head_dim, out);
        } else if S::REGISTER_SETS >= LARGE_TILE {
            Large::new(q, head_dim, position, scratch).attend(simd, blocks, out);
        } else {
            Small::new(q, head_dim, position, scratch).attend(simd, blocks, out);
        }
    }
}
