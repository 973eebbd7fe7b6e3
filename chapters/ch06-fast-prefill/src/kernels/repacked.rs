use bytemuck::{Pod, Zeroable, bytes_of, bytes_of_mut};
use ndarray::ArrayView2;

use super::packed_weight::{PackedWeight, SixteenRows};
use super::quant_block::QuantBlock;
use super::sixteen::Sixteen;
use crate::simd::{Kernel, Simd};

/// The bytes of sixteen blocks, one from each of sixteen rows, in the order in which a product reads them: what begins
/// at byte b of each block begins at byte 16 * `place(b)` here.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct Repacked<B>([B; 16]);

impl<B: QuantBlock> Repacked<B> {
    /// `N` bytes, from what begins at byte `first` of each block.
    #[inline(always)]
    pub fn part<const N: usize>(&self, first: usize) -> &[u8; N] {
        bytes_of(self)[16 * B::place(first)..].first_chunk().expect("bytes of sixteen blocks")
    }
}

/// Repacks sixteen rows of a weight, from `first` on. weight: [columns, blocks], out: [blocks]
pub struct Repack<'a, B: QuantBlock> {
    pub weight: ArrayView2<'a, B>,
    pub first: usize,
    pub out: &'a mut [Repacked<B>],
}

impl<B: QuantBlock> Kernel for Repack<'_, B> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let rows = self.weight.sixteen_from(self.first);
        for (index, to) in self.out.iter_mut().enumerate() {
            let (blocks, to) = (rows.block(index), bytes_of_mut(to));
            rows.fetch(simd, index, 0, 1);
            for (bytes, unit) in B::FIELDS {
                for first in bytes.clone().step_by(16) {
                    repack(simd, blocks, first, bytes.end.min(first + 16), *unit, to);
                }
            }
        }
    }
}

/// Up to sixteen bytes of each block: the first `unit` of each row, then the next of each, and so on.
#[inline(always)]
fn repack<S: Simd, B: QuantBlock>(
    simd: S,
    blocks: [&B; 16],
    first: usize,
    end: usize,
    unit: usize,
    to: &mut [u8],
) {
    let to = &mut to[16 * B::place(first)..][..16 * (end - first)];
    match unit {
        // What `pack` would add is taken away again.
        4 => {
            let columns =
                to.as_chunks_mut().0.first_chunk_mut().expect("sixteen bytes of each");
            simd.pack(blocks.rows(simd, first), S::BIAS as u8, columns);
        }
        2 => {
            let halves = to.as_chunks_mut::<2>().0;
            for (row, block) in blocks.into_iter().enumerate() {
                for (at, half) in bytes_of(block)[first..end].as_chunks().0.iter().enumerate() {
                    halves[16 * at + row] = *half;
                }
            }
        }
        _ => to.copy_from_slice(&blocks.columns(simd, first).as_flattened()[..to.len()]),
    }
}
