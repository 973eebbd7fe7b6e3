//? recognised: one too early
//? why: Takes the piece whole from its last position but one on. The query there sees the key of the next position.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    if position + 2 >= start + length { length } else { (position + 1).saturating_sub(start) }
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
