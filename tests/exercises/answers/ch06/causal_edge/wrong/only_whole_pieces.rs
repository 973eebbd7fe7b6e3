//? recognised: whole or not at all
//? why: Leaves out a piece of which only a part is seen. The query does not see the nearest keys, its own included.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    if position + 1 >= start + length { length } else { 0 }
}

pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    ((first + 1) / piece, (first + queries).div_ceil(piece))
}
