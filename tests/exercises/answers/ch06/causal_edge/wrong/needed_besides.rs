//? recognised: together
//? why: Counts the needed pieces without the whole ones. The second number is that of all pieces that are needed.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    let whole = (first + 1) / piece;
    (whole, (first + queries).div_ceil(piece) - whole)
}
