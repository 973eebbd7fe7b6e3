use bytemuck::Pod;
use half::f16;
use half::slice::HalfFloatSliceExt;
use ndarray::Array2;

use super::number::Number;

/// The text is cut into pieces of this many positions, wherever a prompt or a chunk of it begins or ends.
pub const PIECE: usize = 64;

/// The keys and values of a piece, in the type in which the cache keeps them.
#[derive(Clone, Copy)]
pub enum Piece<'a> {
    F32(PieceOf<'a, f32>),
    F16(PieceOf<'a, f16>),
}

/// Keys and values head by head, each [kv_heads, PIECE, width]: a head's rows follow each other, so that a lone
/// query reads them in one long stream. `width` is head_dim, filled up with zeros to whole sixteens.
#[derive(Clone, Copy)]
pub struct PieceOf<'a, W> {
    pub rows: usize, // that are written; there is memory for all, with anything in it
    pub keys: &'a [W],
    pub values: &'a [W],
}

impl<'a, W> PieceOf<'a, W> {
    /// Keys and values of one head, each [PIECE, width]
    #[inline(always)]
    pub fn head(&self, head: usize, width: usize) -> (&'a [W], &'a [W]) {
        let these = head * PIECE * width..(head + 1) * PIECE * width;
        (&self.keys[these.clone()], &self.values[these])
    }
}

impl Piece<'_> {
    /// The first of its rows as they were written: keys and values, each [rows, kv_heads * head_dim]
    pub fn rows(self, rows: usize, kv_heads: usize, head_dim: usize) -> [Array2<f32>; 2] {
        match self {
            Piece::F32(of) => of.rows(rows, kv_heads, head_dim),
            Piece::F16(of) => of.rows(rows, kv_heads, head_dim),
        }
    }
}

impl<W: Kept> PieceOf<'_, W> {
    fn rows(&self, rows: usize, kv_heads: usize, head_dim: usize) -> [Array2<f32>; 2] {
        assert!(rows <= self.rows, "only what is written can be read");
        let width = head_dim.next_multiple_of(16);
        [self.keys, self.values].map(|all| {
            Array2::from_shape_fn((rows, kv_heads * head_dim), |(row, column)| {
                let (head, column) = (column / head_dim, column % head_dim);
                all[(head * PIECE + row) * width + column].into()
            })
        })
    }
}

/// A type in which a cache may keep keys and values.
pub trait Kept: Number + Pod + Send + Into<f32> {
    /// Takes numbers over, each as the nearest that there is, and says whether all have one: an infinity stands for what
    /// is too large.
    fn round(numbers: &[f32], to: &mut [Self]) -> bool;
    fn of(piece: Piece<'_>) -> Option<PieceOf<'_, Self>>;
    fn piece(of: PieceOf<'_, Self>) -> Piece<'_>;
}

impl Kept for f32 {
    fn round(numbers: &[f32], to: &mut [f32]) -> bool {
        to.copy_from_slice(numbers);
        true
    }

    fn of(piece: Piece<'_>) -> Option<PieceOf<'_, f32>> {
        if let Piece::F32(of) = piece { Some(of) } else { None }
    }

    fn piece(of: PieceOf<'_, f32>) -> Piece<'_> {
        Piece::F32(of)
    }
}

impl Kept for f16 {
    fn round(numbers: &[f32], to: &mut [f16]) -> bool {
        to.convert_from_f32_slice(numbers);
        let too_large = |(to, number): (&f16, &f32)| to.is_infinite() && number.is_finite();
        !to.iter().zip(numbers).any(too_large)
    }

    fn of(piece: Piece<'_>) -> Option<PieceOf<'_, f16>> {
        if let Piece::F16(of) = piece { Some(of) } else { None }
    }

    fn piece(of: PieceOf<'_, f16>) -> Piece<'_> {
        Piece::F16(of)
    }
}
