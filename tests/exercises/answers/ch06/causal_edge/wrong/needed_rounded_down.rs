//? recognised: a single key may be seen
//? why: Rounds the needed pieces down. The piece on the edge is lost unless the block ends where a piece ends.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries) / piece)
}
