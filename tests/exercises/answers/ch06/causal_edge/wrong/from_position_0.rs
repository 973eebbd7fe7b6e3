//? recognised: begins at `start`
//? why: Counts from position 0, as if there were one piece.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
