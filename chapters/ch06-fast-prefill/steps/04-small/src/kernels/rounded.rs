use std::array::from_fn;

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
    /// How many groups so many rows have. Their length is a multiple of 32.
    pub fn scratch_len(rows: usize, columns: usize) -> usize {
        assert!(columns.is_multiple_of(32), "{columns} numbers are no whole groups");
        rows * (columns / 32)
    }

    /// In groups that were allocated before, whatever they hold.
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
    fn run<S: Simd>(self, simd: S) {
        let Round { x, out } = self;
        if x.ncols() == 0 {
            return;
        }
        for (row, out) in out.chunks_mut(x.ncols() / 32).enumerate() {
            let (groups, _) = row_of(x, row).as_chunks::<32>();
            for (numbers, out) in groups.iter().zip(&mut *out) {
                round(simd, numbers, out);
            }
            for eight in out.chunks_mut(8) {
                add_up(simd, eight);
            }
        }
    }
}

/// Adding this rounds to a whole number: the sum's bits are those of this plus the integer.
const TO_INTEGERS: f32 = 12_582_912.0; // 1.5 * 2^23

/// The integers of a group, and their scale.
#[inline(always)]
fn round<S: Simd>(simd: S, numbers: &[f32; 32], out: &mut Group) {
    let (halves, _) = numbers.as_chunks::<16>();
    // The size of a number, as an integer that grows with it, NaN last.
    let mut lanes = [0; 16];
    for half in halves {
        for (largest, number) in lanes.iter_mut().zip(half) {
            *largest = u32::max(*largest, number.to_bits() & 0x7FFF_FFFF);
        }
    }
    let largest = f32::from_bits(lanes.into_iter().fold(0, u32::max));
    let scale = largest / 127.0;
    let inverse = 1.0 / scale;
    if !largest.is_finite() || inverse.is_infinite() {
        // No integers can stand for NaN or infinity: every output will be NaN. The others are zeros, or so
        // small that they count as zeros.
        let scale = if largest.is_finite() { 0.0 } else { f32::NAN };
        *out = Group { scale, ..Group::default() };
        return;
    }
    let inverse = simd.load(&[inverse; 16]);
    for (ints, half) in out.ints.iter_mut().zip(halves) {
        let mut scaled = [0.0; 16];
        simd.store(simd.multiply(simd.load(half), inverse), &mut scaled);
        *ints = scaled.map(|number| (number + TO_INTEGERS).to_bits() as u8);
    }
    out.scale = scale;
}

/// The sums of up to eight groups, and what follows from them. Half a group is a row of sixteen bytes: its products
/// with ones add up to its sum.
#[inline(always)]
fn add_up<S: Simd>(simd: S, groups: &mut [Group]) {
    let last = groups.len() - 1;
    let halves = from_fn(|i| &groups[usize::min(i / 2, last)].ints[i % 2]);
    let fours = simd.dot(simd.load_rows(halves), &[1; 16], simd.no_fours());
    let mut sums = [0.0; 16];
    simd.store(simd.to_f32(simd.total(fours), 0), &mut sums);
    for (group, sums) in groups.iter_mut().zip(sums.as_chunks::<2>().0) {
        let integer =
            |sum: f32| (sum + TO_INTEGERS).to_bits() as i32 - TO_INTEGERS.to_bits() as i32;
        group.sums = sums.map(integer);
        group.starts = group.sums.map(|sum| -128 * sum);
        group.start = group.starts[0] + group.starts[1];
        group.minus_sum = -(group.scale * (sums[0] + sums[1]));
    }
}
