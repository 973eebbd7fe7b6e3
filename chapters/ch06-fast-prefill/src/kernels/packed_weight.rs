use bytemuck::{bytes_of, cast_slice};
use ndarray::ArrayView2;

use super::quant_block::QuantBlock;
use super::repacked::Repacked;
use super::sixteen::Sixteen;
use crate::simd::Simd;

/// Weights in blocks, of which a kernel takes sixteen rows at a time.
pub trait PackedWeight: Copy + Sync {
    type Block: QuantBlock;
    type Rows: SixteenRows;

    /// How many blocks a row has.
    fn blocks(self) -> usize;
    /// Sixteen rows. Past the end the last one is repeated.
    fn sixteen_from(self, first: usize) -> Self::Rows;
    /// The bytes of all rows from `first` on: none past the end.
    fn bytes(&self, first: usize) -> &[u8];
}

/// Sixteen rows of blocks.
pub trait SixteenRows: Copy {
    type Block: Sixteen;

    /// The first blocks of each row.
    fn first(self, blocks: usize) -> Self;
    /// This block of each row.
    fn block(self, index: usize) -> Self::Block;
    /// Prefetches what will be read after these, where the hardware does not see it coming: a part of it with each of
    /// `steps` steps, as memory accepts only so many requests at once.
    #[inline(always)]
    fn fetch<S: Simd>(self, simd: S, index: usize, step: usize, steps: usize) {
        let _ = (simd, index, step, steps); // a long row is read from front to back, which it does see
    }
}

/// As the file has them. [columns, blocks]
impl<'a, B: QuantBlock> PackedWeight for ArrayView2<'a, B> {
    type Block = B;
    type Rows = [&'a [B]; 16];

    #[inline(always)]
    fn blocks(self) -> usize {
        self.ncols()
    }

    #[inline(always)]
    fn sixteen_from(self, first: usize) -> [&'a [B]; 16] {
        let (columns, blocks) = self.dim();
        let all = self.to_slice().expect("rows one after the other");
        let mut rows = [all; 16];
        for (row, blocks_of_row) in (first..).zip(&mut rows) {
            *blocks_of_row = &all[row.min(columns - 1) * blocks..][..blocks];
        }
        rows
    }

    #[inline(always)]
    fn bytes(&self, first: usize) -> &[u8] {
        let all = self.to_slice().expect("rows one after the other");
        cast_slice(all.get(first * self.ncols()..).unwrap_or_default())
    }
}

impl<'a, B: QuantBlock> SixteenRows for [&'a [B]; 16] {
    type Block = [&'a B; 16];

    #[inline(always)]
    fn first(self, blocks: usize) -> Self {
        self.map(|row| &row[..blocks])
    }

    #[inline(always)]
    fn block(self, index: usize) -> [&'a B; 16] {
        let mut blocks = [&self[0][index]; 16];
        for (block, row) in blocks.iter_mut().zip(self) {
            *block = &row[index];
        }
        blocks
    }

    /// From the next sixteen rows.
    #[inline(always)]
    fn fetch<S: Simd>(self, simd: S, index: usize, step: usize, steps: usize) {
        let some = 16 / steps;
        for row in &self[step * some..][..some] {
            simd.fetch(bytes_of(&row[index]), 16 * size_of_val(*row));
        }
    }
}

/// Repacked: `blocks` times sixteen rows after each other.
#[derive(Clone, Copy)]
pub struct Panels<'a, B: QuantBlock> {
    pub all: &'a [Repacked<B>],
    pub blocks: usize,
}

impl<B: QuantBlock> Panels<'_, B> {
    /// The rows from `first` on, a multiple of sixteen.
    pub fn skip(self, first: usize) -> Self {
        Panels { all: &self.all[first / 16 * self.blocks..], ..self }
    }
}

impl<'a, B: QuantBlock> PackedWeight for Panels<'a, B> {
    type Block = B;
    type Rows = &'a [Repacked<B>];

    #[inline(always)]
    fn blocks(self) -> usize {
        self.blocks
    }

    #[inline(always)]
    fn sixteen_from(self, first: usize) -> &'a [Repacked<B>] {
        &self.all[first / 16 * self.blocks..][..self.blocks]
    }

    #[inline(always)]
    fn bytes(&self, first: usize) -> &[u8] {
        cast_slice(self.all.get(first / 16 * self.blocks..).unwrap_or_default())
    }
}

impl<'a, B: QuantBlock> SixteenRows for &'a [Repacked<B>] {
    type Block = &'a Repacked<B>;

    #[inline(always)]
    fn first(self, blocks: usize) -> Self {
        &self[..blocks]
    }

    #[inline(always)]
    fn block(self, index: usize) -> &'a Repacked<B> {
        &self[index]
    }
}
