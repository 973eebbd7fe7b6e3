use ndarray::ArrayView2;

use super::rows::row_of;
use crate::simd::{Kernel, Simd};

/// Thirty-two numbers of a row of x, rounded to integers that share a scale.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Group {
    pub ints: [[u8; 16]; 2], // from -127 to 127, as bytes
    pub scale: f32,
    pub sums: [i32; 2],   // of the first sixteen integers, and of the last
    pub starts: [i32; 2], // -128 times these
    pub start: i32,       // the sum of both
    pub minus_sum: f32,   // minus the scale times the sum of all
}

/// Rows of x, in groups.
pub struct Rounded {
    groups: Vec<Group>,
    groups_of_row: usize,
}

impl Rounded {
    /// Rows whose length is a multiple of 32, all zero.
    pub fn new(rows: usize, columns: usize) -> Rounded {
        assert!(columns.is_multiple_of(32), "{columns} numbers are no whole groups");
        let groups_of_row = columns / 32;
        Rounded { groups: vec![Group::default(); rows * groups_of_row], groups_of_row }
    }

    pub fn row(&self, row: usize) -> &[Group] {
        &self.groups[row * self.groups_of_row..][..self.groups_of_row]
    }

    /// `rows` rows at a time, to be written.
    pub fn chunks_mut(&mut self, rows: usize) -> impl Iterator<Item = &mut [Group]> {
        self.groups.chunks_mut((rows * self.groups_of_row).max(1))
    }
}

/// Rounds rows. x: [rows, inner], out: [rows * inner / 32]
pub struct Round<'a> {
    pub x: ArrayView2<'a, f32>,
    pub out: &'a mut [Group],
}

impl Kernel for Round<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Round { x, out } = self;
        if x.ncols() == 0 {
            return;
        }
        for (row, out) in out.chunks_mut(x.ncols() / 32).enumerate() {
            let (groups, _) = row_of(x, row).as_chunks::<32>();
            for (numbers, out) in groups.iter().zip(out) {
                *out = round(numbers);
            }
        }
    }
}

/// Plain Rust: the compiler makes vector instructions of it.
#[inline(always)]
fn round(numbers: &[f32; 32]) -> Group {
    // The size of a number, as an integer that grows with it, NaN last.
    let sizes = numbers.map(|number| number.to_bits() & 0x7FFF_FFFF);
    let largest = f32::from_bits(sizes.into_iter().fold(0, u32::max));
    if !largest.is_finite() {
        // NaN or infinity, for which no integer can stand: every output will be NaN.
        return Group { scale: f32::NAN, minus_sum: f32::NAN, ..Group::default() };
    }
    let scale = largest / 127.0;
    let inverse = 1.0 / scale;
    if inverse.is_infinite() {
        // Zeros, or so small that they count as zeros.
        return Group::default();
    }
    // Adding this rounds to a whole number, which then is in the last eight bits.
    const TO_INTEGERS: f32 = 12_582_912.0; // 1.5 * 2^23
    let mut group = Group { scale, ..Group::default() };
    for (half, numbers) in numbers.as_chunks::<16>().0.iter().enumerate() {
        for (int, number) in group.ints[half].iter_mut().zip(numbers) {
            *int = (number * inverse + TO_INTEGERS).to_bits() as u8;
            group.sums[half] += i32::from(*int as i8);
        }
    }
    group.starts = group.sums.map(|sum| -128 * sum);
    group.start = group.starts[0] + group.starts[1];
    group.minus_sum = -(scale * (group.sums[0] + group.sums[1]) as f32);
    group
}
