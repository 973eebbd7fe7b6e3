//? recognised: hidden
//? why: Counts the keys that the query does not see, as one would for a mask.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    length - (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
