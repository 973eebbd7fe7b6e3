use half::f16;

use super::rounded::Group;
use crate::simd::Simd;

/// An f16 of each block, widened.
#[inline(always)]
pub fn f16_of<S: Simd>(simd: S, bytes: [&[u8; 2]; 16]) -> S::Lanes {
    let mut halves = [f16::ZERO; 16];
    for (half, bytes) in halves.iter_mut().zip(bytes) {
        *half = f16::from_le_bytes(*bytes);
    }
    simd.load_f16(&halves)
}

/// The same part of each block.
#[inline(always)]
pub fn part_of<'a, B, T>(blocks: [&'a B; 16], part: impl Fn(&'a B) -> &'a T) -> [&'a T; 16] {
    let mut parts = [part(blocks[0]); 16];
    for (found, block) in parts.iter_mut().zip(blocks) {
        *found = part(block);
    }
    parts
}

/// Products of a group of x with rows that have no negative numbers: one sum for each row.
#[inline(always)]
pub fn dots_from_zero<S: Simd>(simd: S, [a, b]: [S::Rows; 2], x: &Group) -> S::Ints {
    let fours = simd.dot_from_zero(a, &x.ints[0], simd.no_fours());
    simd.total(simd.dot_from_zero(b, &x.ints[1], fours))
}
