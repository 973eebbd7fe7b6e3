//? recognised: its own position
//? why: Counts the keys before the query. It sees its own as well; the first query of a text would see nothing.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    position.saturating_sub(start).min(length)
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
