//? recognised: rounded down
//? why: Rounds the whole pieces up, so that the piece on the edge counts as whole.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1).div_ceil(piece), (first + queries).div_ceil(piece))
}
