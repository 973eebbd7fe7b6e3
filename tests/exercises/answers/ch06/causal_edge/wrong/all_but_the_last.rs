//? recognised: more than one piece
//? why: Takes all needed pieces but the last for whole. A block of queries may have several pieces on its edge.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    let needed = (first + queries).div_ceil(piece);
    (needed - 1, needed)
}
