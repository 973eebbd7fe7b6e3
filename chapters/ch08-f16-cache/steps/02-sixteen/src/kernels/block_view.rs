use bytemuck::{Pod, Zeroable, cast_slice};
use half::f16;
use ndarray::Array2;

use super::kv_type::KvType;
use crate::base::kernels::BLOCK_SIZE;

/// Keys and values of a block head by head, each [kv_heads, BLOCK_SIZE, width]: a head's rows follow each other, so
/// that a lone query reads them in one long stream. `width` is head_dim, filled up with zeros to whole sixteens.
#[derive(Clone, Copy)]
pub struct BlockView<'a> {
    pub kv_type: KvType, // of all its numbers
    pub rows: usize,     // that are written; there is memory for all, with anything in it
    pub keys: &'a [Line],
    pub values: &'a [Line],
}

/// As much as a processor fetches at a time. Rows begin where lines do, whatever the type of their numbers.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line([u8; 64]);

impl<'a> BlockView<'a> {
    /// Keys and values of one head, each [BLOCK_SIZE, width]. `W` is what the block has.
    #[inline(always)]
    pub fn head<W: Pod>(&self, head: usize, width: usize) -> (&'a [W], &'a [W]) {
        let these = head * BLOCK_SIZE * width..(head + 1) * BLOCK_SIZE * width;
        (&cast_slice(self.keys)[these.clone()], &cast_slice(self.values)[these])
    }

    /// The first of its rows as they were written: keys and values, each [rows, kv_heads * head_dim]
    pub fn rows(self, rows: usize, kv_heads: usize, head_dim: usize) -> [Array2<f32>; 2] {
        assert!(rows <= self.rows, "only what is written can be read");
        let width = head_dim.next_multiple_of(16);
        [self.keys, self.values].map(|all| {
            Array2::from_shape_fn((rows, kv_heads * head_dim), |(row, column)| {
                let (head, column) = (column / head_dim, column % head_dim);
                let at = (head * BLOCK_SIZE + row) * width + column;
                match self.kv_type {
                    KvType::F32 => cast_slice::<_, f32>(all)[at],
                    KvType::F16 => cast_slice::<_, f16>(all)[at].to_f32(),
                }
            })
        })
    }
}
