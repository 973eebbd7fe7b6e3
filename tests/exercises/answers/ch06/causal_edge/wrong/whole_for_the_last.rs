//? recognised: sees these pieces whole
//? why: Counts the pieces that the last query sees whole. The earlier queries of the block would see keys of the future there.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + queries) / piece, (first + queries).div_ceil(piece))
}
