use bytemuck::{cast_slice, cast_slice_mut};
use half::bf16;

use super::block_view::Line;
use crate::base::kernels::BLOCK_SIZE;
use crate::simd::{Simd, Unpacked};

/// So many integers that are multiplied with each other share a scale, as in Q8_0.
pub const GROUP: usize = 32;

/// Columns of four bytes of sixteen rows, of a group: as `Simd::load_column` wants them.
type Columns = [[[u8; 64]; 4]; 2];

/// Keys or values of one head in a block, in eight bits: a small matrix in panels of sixteen rows. A row of keys is
/// a position, and one of values a column of them: what a product goes along lies in groups.
///
/// Each key has a scale for every group, [panels, groups, 16]. A value has just one, because it's its weight that is
/// multiplied with it. Both take as much room.
#[inline(always)]
pub fn parts(lines: &[Line]) -> (&[Columns], &[[bf16; 16]]) {
    let groups = lines.len() / GROUP_LINES;
    let (ints, scales) = lines.split_at(groups * GROUP);
    (cast_slice(ints), cast_slice(scales))
}

/// What 32 numbers of each of 64 positions take: a byte each, and a scale of two.
const GROUP_LINES: usize = GROUP + 2;

/// The bytes of a row: there are as many rows as a line has bytes.
pub fn row_bytes(head_dim: usize) -> usize {
    head_dim.div_ceil(GROUP) * GROUP_LINES
}

/// Where a number's integer is, and its scale. lines: how many there are
fn place(lines: usize, is_value: bool, position: usize, number: usize) -> (usize, usize) {
    let groups = lines / GROUP_LINES;
    let (row, along, of_row) = match is_value {
        false => (position, number, groups),
        true => (number, position, BLOCK_SIZE / GROUP),
    };
    let group = row / 16 * of_row + along / GROUP;
    let int = group * 16 * GROUP + along % GROUP / 4 * 64 + row % 16 * 4 + along % 4;
    (int, if is_value { position } else { group * 16 + row % 16 })
}

/// Rounds a row, and puts it where it belongs.
pub fn write(lines: &mut [Line], is_value: bool, position: usize, row: &[f32]) {
    let count = lines.len();
    let (ints, scales) = lines.split_at_mut(count / GROUP_LINES * GROUP);
    let (ints, scales): (&mut [u8], &mut [bf16]) =
        (cast_slice_mut(ints), cast_slice_mut(scales));
    let together = if is_value { row.len() } else { GROUP };
    for (start, numbers) in (0..).step_by(together).zip(row.chunks(together)) {
        let scale = scale_of(numbers);
        scales[place(count, is_value, position, start).1] = scale;
        let inverse = if scale > bf16::ZERO { 1.0 / scale.to_f32() } else { 0.0 };
        for (number, x) in (start..).zip(numbers) {
            let x = if inverse == 0.0 { 0.0 } else { x * inverse };
            ints[place(count, is_value, position, number).0] =
                (x + TO_INTEGERS).to_bits() as u8;
        }
    }
}

/// Adding this rounds to a whole number, as in chapter 5.
const TO_INTEGERS: f32 = 12_582_912.0; // 1.5 * 2^23

/// The largest becomes 127. A scale has so few bits that all its products with integers are exact: what is read and
/// written once more is the same. NaN where no integers can stand for a number, and zero where all are next to it.
fn scale_of(numbers: &[f32]) -> bf16 {
    let size = |number: &f32| number.to_bits() & 0x7FFF_FFFF;
    let largest = f32::from_bits(numbers.iter().map(size).fold(0, u32::max));
    let scale = bf16::from_f32(largest / 127.0);
    match scale.to_f32() {
        scale if !(scale * 127.0).is_finite() => bf16::NAN,
        scale if scale < f32::MIN_POSITIVE => bf16::ZERO,
        _ => scale,
    }
}

/// A number of a row, as it was written.
pub fn read(lines: &[Line], is_value: bool, position: usize, number: usize) -> f32 {
    let (int, scale) = place(lines.len(), is_value, position, number);
    let (ints, scales) = parts(lines);
    let int = cast_slice::<_, i8>(ints)[int];
    f32::from(int) * scales.as_flattened()[scale].to_f32()
}

/// The panels of a matrix as chapter 6's products want them, without scales. `next`: the lines after these
#[inline(always)]
pub fn unpack<S: Simd>(simd: S, lines: &[Line], next: &[Line], panels: &mut [Unpacked]) {
    let (from, next) = (parts(lines).0, parts(next).0);
    for ((from, next), to) in from.iter().zip(next).zip(panels) {
        simd.fetch(next.as_flattened(), 0);
        for (from, to) in from.as_flattened().iter().zip(to.ints.as_flattened_mut()) {
            simd.store_column(simd.load_column(from), 0, to);
        }
    }
}
