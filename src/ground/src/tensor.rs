//! A tensor as the file has it: a name, a shape, a type, and borrowed bytes.

use crate::dtype::StoredType;

/// A view of one tensor. One dimension is one row; a third and fourth are folded into the rows.
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a> {
    /// Its name, such as `blk.0.attn_q.weight`.
    pub name: &'a str,
    /// How many rows it has: for a weight matrix, the number of outputs.
    pub rows: usize,
    /// How many numbers a row has: for a weight matrix, the number of inputs.
    pub columns: usize,
    /// How the numbers are stored.
    pub stored: StoredType,
    /// The numbers as the file has them, row after row.
    pub bytes: &'a [u8],
}

impl<'a> Tensor<'a> {
    /// Widens one row to `f32`; `out` has `columns` places.
    pub fn row_to_f32(&self, row: usize, out: &mut [f32]) {
        let row_bytes = self.stored.row_bytes(self.columns);
        self.stored.widen(&self.bytes[row * row_bytes..][..row_bytes], out);
    }

    /// Widens the whole tensor to `f32`, row after row.
    pub fn to_f32(&self) -> Vec<f32> {
        let mut numbers = vec![0.0; self.rows * self.columns];
        self.stored.widen(self.bytes, &mut numbers);
        numbers
    }

    /// The numbers as the file has them, not copied; `None` if of another type or misaligned.
    pub fn as_f32(&self) -> Option<&'a [f32]> {
        self.cast(StoredType::F32)
    }

    /// The numbers as the file has them, not copied; `None` if of another type or misaligned.
    pub fn as_f16(&self) -> Option<&'a [half::f16]> {
        self.cast(StoredType::F16)
    }

    /// The numbers as the file has them, not copied; `None` if of another type or misaligned.
    pub fn as_bf16(&self) -> Option<&'a [half::bf16]> {
        self.cast(StoredType::BF16)
    }

    /// The blocks as the file has them, not copied; `None` if a block of this type has another
    /// length.
    pub fn as_blocks<const BYTES: usize>(&self) -> Option<&'a [[u8; BYTES]]> {
        let blocks = self.stored.block_len() > 1; // a float that stands alone is no block
        (blocks && self.stored.block_bytes() == BYTES).then_some(self.bytes.as_chunks().0)
    }

    fn cast<T: bytemuck::Pod>(&self, stored: StoredType) -> Option<&'a [T]> {
        // The file is little-endian: a machine that is not must turn every number round.
        if self.stored != stored || cfg!(target_endian = "big") {
            return None;
        }
        bytemuck::try_cast_slice(self.bytes).ok()
    }
}
