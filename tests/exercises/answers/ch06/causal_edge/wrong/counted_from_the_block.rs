//? recognised: position 0
//? why: Counts the pieces of the block alone. Its queries also see all that came before it.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    (1 / piece, queries.div_ceil(piece))
}
