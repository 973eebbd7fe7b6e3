//? recognised: sees more than this
//? why: Leaves out the last query. Where it begins a piece, that piece is missing.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries - 1).div_ceil(piece))
}
