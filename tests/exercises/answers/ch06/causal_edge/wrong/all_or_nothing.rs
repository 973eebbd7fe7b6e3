//? recognised: all of a piece
//? why: Shows a piece whole as soon as one of its keys may be seen. The query sees up to the end of the piece on its edge.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    if position >= start { length } else { 0 }
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
