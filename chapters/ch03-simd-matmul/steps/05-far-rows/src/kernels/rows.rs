use ndarray::{ArrayView2, ArrayViewMut2, Axis};

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

/// A copy of rows, each padded with zeros to whole sixteens.
pub struct Padded {
    numbers: Vec<f32>,
    width: usize,
}

impl Padded {
    pub fn copy(rows: ArrayView2<f32>) -> Padded {
        let width = rows.ncols().next_multiple_of(16);
        let mut numbers = Vec::with_capacity(rows.nrows() * width);
        for row in 0..rows.nrows() {
            numbers.extend_from_slice(row_of(rows, row));
            numbers.resize((row + 1) * width, 0.0);
        }
        Padded { numbers, width }
    }

    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.numbers[row * self.width..][..self.width]
    }
}
