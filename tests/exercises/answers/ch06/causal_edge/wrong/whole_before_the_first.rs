//? recognised: sees its own
//? why: Counts the pieces before the first query. If it is at the last position of a piece, it sees that piece whole too.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    (first / piece, (first + queries).div_ceil(piece))
}
