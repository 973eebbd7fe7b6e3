//? recognised: at least one
//? why: Shows at least one key of each piece, so that no sum is empty. A piece that comes later has none to show.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).clamp(1, length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
