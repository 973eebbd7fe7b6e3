//? recognised: number of keys
//? why: Returns the last position that is seen, not how many there are in the piece.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    position.clamp(start, start + length - 1)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
