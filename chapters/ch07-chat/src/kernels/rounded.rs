use ndarray::ArrayView2;

use super::rows::row_of;
use crate::simd::{Job, Simd};

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
    /// How many groups rows come to. Their length is a multiple of 32.
    pub fn room(rows: usize, columns: usize) -> usize {
        assert!(columns.is_multiple_of(32), "{columns} numbers are no whole groups");
        rows * (columns / 32)
    }

    /// In groups that are there already, whatever they hold.
    pub fn within(groups: Vec<Group>, columns: usize) -> Rounded {
        Rounded { groups, groups_of_row: columns / 32 }
    }

    pub fn into_groups(self) -> Vec<Group> {
        self.groups
    }

    pub fn row(&self, row: usize) -> &[Group] {
        &self.groups[row * self.groups_of_row..][..self.groups_of_row]
    }

    /// `rows` rows at a time, to be written.
    pub fn pieces_mut(&mut self, rows: usize) -> impl Iterator<Item = &mut [Group]> {
        self.groups.chunks_mut((rows * self.groups_of_row).max(1))
    }
}

/// Rounds rows. x: [rows, inner], out: [rows * inner / 32]
pub struct Round<'a> {
    pub x: ArrayView2<'a, f32>,
    pub out: &'a mut [Group],
}

impl Job for Round<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Round { x, out } = self;
        if x.ncols() == 0 {
            return;
        }
        for (row, out) in out.chunks_mut(x.ncols() / 32).enumerate() {
            let (groups, _) = row_of(x, row).as_chunks::<32>();
            for (numbers, out) in groups.iter().zip(out) {
                round(numbers, out);
            }
        }
    }
}

/// Plain Rust: the compiler makes vector instructions of it.
#[inline(always)]
fn round(numbers: &[f32; 32], out: &mut Group) {
    // The size of a number, as an integer that grows with it, NaN last.
    let mut largest = 0;
    for number in numbers {
        largest = largest.max(number.to_bits() & 0x7FFF_FFFF);
    }
    let largest = f32::from_bits(largest);
    let scale = largest / 127.0;
    let inverse = 1.0 / scale;
    if !largest.is_finite() {
        // No integers can stand for these: every output will be NaN.
        *out = Group { scale: f32::NAN, minus_sum: f32::NAN, ..Group::default() };
        return;
    }
    if inverse.is_infinite() {
        // Zeros, or so small that they count as zeros.
        *out = Group::default();
        return;
    }
    // Added to this, a number loses what is smaller than 1, and its last eight bits are the integer.
    const TO_INTEGERS: f32 = 12_582_912.0; // 1.5 * 2^23
    for half in 0..2 {
        let mut sum = 0_i32;
        for i in 0..16 {
            let bits = (numbers[16 * half + i] * inverse + TO_INTEGERS).to_bits();
            out.ints[half][i] = bits as u8;
            sum = sum.wrapping_add(bits as i32);
        }
        out.sums[half] = sum.wrapping_sub((TO_INTEGERS.to_bits() as i32).wrapping_mul(16));
    }
    out.scale = scale;
    out.starts = out.sums.map(|sum| -128 * sum);
    out.start = out.starts[0] + out.starts[1];
    out.minus_sum = -(scale * (out.sums[0] + out.sums[1]) as f32);
}
