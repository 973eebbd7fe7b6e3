//? recognised: a float does not hold
//? why: Counts in f32, which does not hold every position above 2<sup>24</sup>.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    ((position + 1) as f32 as usize).saturating_sub(start).min(length)
}

// -> (whole, needed)
pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
