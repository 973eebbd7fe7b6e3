//? recognised: sees more than this
//? why: Counts the pieces that the first query of the block needs. The later queries lose the keys nearest to them.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + 1).div_ceil(piece))
}
