use ndarray::{ArrayView2, ArrayViewMut2, Axis};

use super::number::{Number, padded};
use crate::simd::Simd;

/// One row as a slice. x: [rows, width] -> [width]
#[inline(always)]
pub fn row_of<T>(x: ArrayView2<'_, T>, row: usize) -> &[T] {
    x.index_axis_move(Axis(0), row).to_slice().expect("a row lies in one piece")
}

/// All rows, to be written. x: [rows, width] -> [width] each
#[inline(always)]
pub fn rows_mut<'a>(x: &'a mut ArrayViewMut2<f32>) -> impl Iterator<Item = &'a mut [f32]> {
    x.rows_mut().into_iter().map(|row| row.into_slice().expect("a row lies in one piece"))
}

/// Rows of f32 that begin at multiples of 64 bytes, each padded with zeros to whole sixteens.
pub struct Aligned {
    numbers: Vec<f32>,
    start: usize,
    rows: usize,
    width: usize,
}

impl Aligned {
    pub fn new(rows: usize, columns: usize) -> Aligned {
        Aligned::within(vec![0.0; Aligned::scratch_len(rows, columns)], rows, columns)
    }

    /// How many numbers such rows occupy.
    pub fn scratch_len(rows: usize, columns: usize) -> usize {
        rows * columns.next_multiple_of(16) + 15
    }

    /// Rows in memory that was allocated before and may hold anything.
    pub fn within(numbers: Vec<f32>, rows: usize, columns: usize) -> Aligned {
        let start = numbers.as_ptr().align_offset(64).min(15);
        Aligned { numbers, start, rows, width: columns.next_multiple_of(16) }
    }

    pub fn into_numbers(self) -> Vec<f32> {
        self.numbers
    }

    pub fn copy(rows: ArrayView2<f32>) -> Aligned {
        let mut copy = Aligned::new(rows.nrows(), rows.ncols());
        copy_padded(rows, copy.view_mut());
        copy
    }

    /// [rows, columns in whole sixteens]
    pub fn view_mut(&mut self) -> ArrayViewMut2<'_, f32> {
        let numbers = &mut self.numbers[self.start..][..self.rows * self.width];
        ArrayViewMut2::from_shape((self.rows, self.width), numbers).expect("rows of one width")
    }

    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.numbers[self.start + row * self.width..][..self.width]
    }

    #[inline(always)]
    pub fn set_row<S: Simd, W: Number>(&mut self, simd: S, row: usize, numbers: &[W]) {
        let to = &mut self.numbers[self.start + row * self.width..][..self.width];
        let (sixteens, tail) = numbers.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<16>();
        for (to, sixteen) in to.iter_mut().zip(sixteens) {
            simd.store(W::load(simd, sixteen), to);
        }
        if let Some(to) = to.get_mut(sixteens.len()) {
            simd.store(W::load(simd, &padded(tail)), to);
        }
    }
}

/// Copies rows and pads them with zeros.
pub fn copy_padded(rows: ArrayView2<f32>, mut to: ArrayViewMut2<f32>) {
    for (row, to) in rows_mut(&mut to).enumerate() {
        let (numbers, padding) = to.split_at_mut(rows.ncols());
        numbers.copy_from_slice(row_of(rows, row));
        padding.fill(0.0);
    }
}
