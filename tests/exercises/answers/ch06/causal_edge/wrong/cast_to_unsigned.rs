//? recognised: wraps
//? why: Subtracts with a sign and casts the result back. A negative number becomes a huge one, and the whole future is seen.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    let count = position as isize + 1 - start as isize;
    (count as usize).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
