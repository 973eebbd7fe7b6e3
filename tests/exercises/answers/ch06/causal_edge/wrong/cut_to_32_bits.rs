//? recognised: cut to 32 bits
//? why: Computes in i32, to have a difference below 0. A position may be larger than an i32 holds.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position as i32 - start as i32 + 1).clamp(0, length as i32) as usize
}
pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
