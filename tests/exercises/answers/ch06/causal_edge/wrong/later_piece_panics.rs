//? recognised: comes later
//? why: Subtracts without looking whether the piece comes later. The number would be negative, and the program stops.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1 - start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
