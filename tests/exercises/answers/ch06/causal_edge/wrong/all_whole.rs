//? recognised: on the edge
//? why: Takes every needed piece for whole. The queries see the future in those on the edge.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    let needed = (first + queries).div_ceil(piece);
    (needed, needed)
}
