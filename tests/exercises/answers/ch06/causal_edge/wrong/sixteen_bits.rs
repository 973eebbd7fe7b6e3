//? recognised: 16 bits
//? why: Counts the pieces of a block in 16 bits. A text may be longer.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

// -> (whole, needed)
pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    let first = usize::from(first as u16);
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
