//? recognised: where a piece ends
//? why: Rounds down and adds one. That is one piece too many when the block ends just where a piece ends.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    (position + 1).saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries) / piece + 1)
}
