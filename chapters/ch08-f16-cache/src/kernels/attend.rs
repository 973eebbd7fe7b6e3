use ndarray::{ArrayView2, ArrayViewMut2};

use super::attention_scratch::AttentionScratch;
use super::block_view::BlockView;
use super::eight_bits_attention::attend;
use super::kv_type::KvType;
use crate::base::kernels::{BLOCK_SIZE, LARGE_TILE};
use crate::simd::{Kernel, Simd};

/// Attention for some queries, over all keys and values up to their own, block by block. The heads that share one head
/// of keys come together. q and out: [queries, heads * head_dim]
pub struct Attend<'a> {
    pub q: ArrayView2<'a, f32>,
    pub blocks: &'a [BlockView<'a>], // of the whole text, from position 0 on
    pub head: usize,                 // of keys and values
    pub head_dim: usize,
    pub position: usize, // of query 0
    pub window: usize,   // of keys that a query sees, its own the last
    pub out: ArrayViewMut2<'a, f32>,
    pub scratch: &'a mut [[f32; 16]], // as much as `scratch_len` says, with anything in it
}

/// The tile for CPUs with enough registers, and the one for the others.
type Large<'a> = AttentionScratch<'a, 6, 4>;
type Small<'a> = AttentionScratch<'a, 3, 2>;

impl Attend<'_> {
    /// How much scratch memory so many queries with so many heads need, in sixteens.
    pub fn scratch_len(queries: usize, heads: usize, head_dim: usize) -> usize {
        let rows = queries * heads;
        let sizes = [Large::sizes(rows, head_dim), Small::sizes(rows, head_dim)];
        sizes.map(|parts| parts.iter().sum()).into_iter().fold(0, usize::max)
    }
}

impl Kernel for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        // The last block ends with the last query's own key.
        let blocks = &self.blocks[..(self.position + self.q.nrows()).div_ceil(BLOCK_SIZE)];
        if blocks[0].kv_type == KvType::Q8_0 {
            let kernel = Attend { blocks, ..self };
            return match S::REGISTER_SETS >= LARGE_TILE {
                true => attend::<S, 4, 4>(simd, kernel),
                false => attend::<S, 2, 2>(simd, kernel),
            };
        }
        let Attend { q, head, head_dim, position, window, out, scratch, .. } = self;
        if S::REGISTER_SETS >= LARGE_TILE {
            Large::new(q, head_dim, position, window, scratch).attend(simd, blocks, head, out);
        } else {
            Small::new(q, head_dim, position, window, scratch).attend(simd, blocks, head, out);
        }
    }
}
