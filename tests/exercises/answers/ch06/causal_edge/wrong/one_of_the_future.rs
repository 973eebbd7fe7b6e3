//? recognised: one key of the future
//? why: Adds 2 where 1 is right. Every query on the edge sees the key of the next position.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 2).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
