//? recognised: wraps
//? why: Lets the subtraction wrap around. A piece that comes later gives a huge number, and so all of it is seen.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).wrapping_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
