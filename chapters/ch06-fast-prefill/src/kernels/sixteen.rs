use bytemuck::{bytes_of, pod_read_unaligned};
use half::f16;

use super::quant_block::QuantBlock;
use super::repacked::Repacked;
use super::rounded::Group;
use crate::simd::Simd;

/// Sixteen blocks of weights, one from each of sixteen rows: where the file has them, or repacked.
pub trait Sixteen: Copy {
    /// Sixteen bytes of each block, from byte `first` on.
    fn rows<S: Simd>(self, simd: S, first: usize) -> S::Rows;
    /// The same bytes. [byte, row]
    fn columns<S: Simd>(self, simd: S, first: usize) -> [[u8; 16]; 16];
    /// An f16 of each block, widened.
    fn f16s<S: Simd>(self, simd: S, first: usize) -> S::Lanes;
    /// The products of a group of x with such rows: one sum for each.
    fn dots<S: Simd>(simd: S, rows: [S::Rows; 2], x: &Group) -> S::Ints;
    /// The same for rows without negative numbers, and with as many sixteens of x.
    fn dots_from_zero<S: Simd, const N: usize>(
        simd: S,
        rows: [S::Rows; N],
        x: [&[u8; 16]; N],
    ) -> S::Ints;
    /// What `Simd::pack` does with rows of the file.
    fn pack<S: Simd>(simd: S, rows: S::Rows, less: u8, columns: &mut [[u8; 64]; 4]);
}

/// In the file, each row's block is elsewhere.
impl<B: bytemuck::Pod> Sixteen for [&B; 16] {
    #[inline(always)]
    fn rows<S: Simd>(self, simd: S, first: usize) -> S::Rows {
        simd.load_rows(part_of(self, first))
    }

    #[inline(always)]
    fn columns<S: Simd>(self, simd: S, first: usize) -> [[u8; 16]; 16] {
        let mut columns = [[0; 16]; 16];
        simd.transpose(part_of(self, first), &mut columns);
        columns
    }

    #[inline(always)]
    fn f16s<S: Simd>(self, simd: S, first: usize) -> S::Lanes {
        let mut halves = [f16::ZERO; 16];
        for (half, bytes) in halves.iter_mut().zip(part_of(self, first)) {
            *half = f16::from_le_bytes(*bytes);
        }
        simd.load_f16(&halves)
    }

    #[inline(always)]
    fn dots<S: Simd>(simd: S, [a, b]: [S::Rows; 2], x: &Group) -> S::Ints {
        let fours = simd.dot(a, &x.ints[0], simd.no_fours());
        simd.total(simd.dot(b, &x.ints[1], fours))
    }

    #[inline(always)]
    fn dots_from_zero<S: Simd, const N: usize>(
        simd: S,
        rows: [S::Rows; N],
        x: [&[u8; 16]; N],
    ) -> S::Ints {
        let mut fours = simd.no_fours();
        for n in 0..N {
            fours = simd.dot_from_zero(rows[n], x[n], fours);
        }
        simd.total(fours)
    }

    #[inline(always)]
    fn pack<S: Simd>(simd: S, rows: S::Rows, less: u8, columns: &mut [[u8; 64]; 4]) {
        simd.pack(rows, less, columns);
    }
}

/// The same bytes of each block.
#[inline(always)]
fn part_of<B: bytemuck::Pod, const N: usize>(blocks: [&B; 16], first: usize) -> [&[u8; N]; 16] {
    let mut parts = [&[0; N]; 16];
    for (part, block) in parts.iter_mut().zip(blocks) {
        *part = bytes_of(block)[first..].first_chunk().expect("bytes of a block");
    }
    parts
}

/// Repacked, the same bytes of all rows lie together.
impl<B: QuantBlock> Sixteen for &Repacked<B> {
    #[inline(always)]
    fn rows<S: Simd>(self, simd: S, first: usize) -> S::Rows {
        let from = self.part::<256>(first).as_chunks().0;
        let mut columns = [simd.load_column(&from[0]); 4];
        for (column, from) in columns.iter_mut().zip(from) {
            *column = simd.load_column(from);
        }
        simd.as_rows(columns)
    }

    #[inline(always)]
    fn columns<S: Simd>(self, _: S, first: usize) -> [[u8; 16]; 16] {
        pod_read_unaligned(self.part::<256>(first))
    }

    #[inline(always)]
    fn f16s<S: Simd>(self, simd: S, first: usize) -> S::Lanes {
        let bits: [u16; 16] = pod_read_unaligned(self.part::<32>(first));
        simd.load_f16(&bits.map(|bits| f16::from_bits(u16::from_le(bits))))
    }

    #[inline(always)]
    fn dots<S: Simd>(simd: S, rows: [S::Rows; 2], x: &Group) -> S::Ints {
        let mut ints = simd.splat(if S::BIAS == 0 { &0 } else { &x.start });
        for (rows, x) in rows.iter().zip(&x.ints) {
            for (column, x) in simd.as_columns(*rows).iter().zip(x.as_chunks().0) {
                ints = simd.add_column(simd.add_bias(*column), x, ints);
            }
        }
        ints
    }

    #[inline(always)]
    fn dots_from_zero<S: Simd, const N: usize>(
        simd: S,
        rows: [S::Rows; N],
        x: [&[u8; 16]; N],
    ) -> S::Ints {
        let mut ints = simd.splat(&0);
        for (rows, x) in rows.iter().zip(x) {
            for (column, x) in simd.as_columns(*rows).iter().zip(x.as_chunks().0) {
                ints = simd.add_column(*column, x, ints);
            }
        }
        ints
    }

    #[inline(always)]
    fn pack<S: Simd>(simd: S, rows: S::Rows, less: u8, columns: &mut [[u8; 64]; 4]) {
        for (from, to) in simd.as_columns(rows).iter().zip(columns) {
            simd.store_column(*from, less, to);
        }
    }
}
