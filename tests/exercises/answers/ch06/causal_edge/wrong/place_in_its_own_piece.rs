//? recognised: earlier piece
//? why: Takes the place of the query in a piece of its own. That is right for the piece on the edge, and for earlier ones it is too few.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    if position < start { 0 } else { position % length + 1 }
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
