use ndarray::Array2;

/// The text is cut into pieces of this many positions, wherever a prompt or a chunk of it begins or ends.
pub const PIECE: usize = 64;

/// Keys and values of a piece head by head, each [kv_heads, PIECE, width]: a head's rows follow each other, so that a
/// lone query reads them in one long stream. `width` is head_dim, filled up with zeros to whole sixteens.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    pub rows: usize, // that are written; there is memory for all, with anything in it
    pub keys: &'a [f32],
    pub values: &'a [f32],
}

impl<'a> Piece<'a> {
    /// Keys and values of one head, each [PIECE, width]
    #[inline(always)]
    pub fn head(&self, head: usize, width: usize) -> (&'a [f32], &'a [f32]) {
        let these = head * PIECE * width..(head + 1) * PIECE * width;
        (&self.keys[these.clone()], &self.values[these])
    }

    /// The first of its rows as they were written: keys and values, each [rows, kv_heads * head_dim]
    pub fn rows(self, rows: usize, kv_heads: usize, head_dim: usize) -> [Array2<f32>; 2] {
        assert!(rows <= self.rows, "only what is written can be read");
        let width = head_dim.next_multiple_of(16);
        [self.keys, self.values].map(|all| {
            Array2::from_shape_fn((rows, kv_heads * head_dim), |(row, column)| {
                let (head, column) = (column / head_dim, column % head_dim);
                all[(head * PIECE + row) * width + column]
            })
        })
    }
}
