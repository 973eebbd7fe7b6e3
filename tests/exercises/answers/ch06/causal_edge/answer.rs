//? title: Where a piece of keys meets the future
//? page: ch06/in-tiles.md
//? section: The diagonal
//? level: warm-up
//? minutes: 15
//? call: check(answer::seen, answer::pieces)
//? hint 1: Take a piece that begins at position 8 and holds 4 positions. Write down how many of them the queries at positions 7, 8, 10, 11 and 30 see. Which of these numbers does `position - start` give?
//? hint 2: A query at `position` sees position + 1 keys of the whole text. Take away those before the piece: nothing below 0 may remain, and no more than the piece holds. For a block of queries, ask two of them: the first sees the fewest keys, and the last sees the most.
//? hint 3: `(position + 1).saturating_sub(start).min(length)`. The block's first query sees first + 1 keys, and its last query sees first + queries. So `(first + 1) / piece` pieces are seen whole by all, and `(first + queries).div_ceil(piece)` are needed.
//? why: A query sees its own position, and so position + 1 keys of the text. `saturating_sub` ends at 0 where the piece comes
//?   later, and `min` ends at the piece's length where it comes earlier. A block is decided by two of its queries: a piece is
//?   whole for all if it is whole for the first, and needed at all if the last sees any of it. Between the two numbers are
//?   the pieces on the edge, where each query has to be asked by itself. All pieces before the edge take the quick way. Those
//?   after it are not touched at all, which saves nearly half of all products in a long prompt.

//! A query sees the key of its own position and all before it. Attention goes through the keys in pieces, and has to know for
//! each piece how much of it a query may see:
//!
//! - `seen(position, start, length)`: how many keys of a piece the query at `position` sees. The piece holds `length` keys,
//!   at positions `start`, `start + 1`, and so on. From 0 to `length`.
//! - `pieces(first, queries, piece)`: two numbers for a block of queries at positions `first`, `first + 1`, and so on. The
//!   text is cut every `piece` positions, from position 0 on. How many pieces, from the first on, does every query of the
//!   block see whole? And how many does the block need, because one of its queries at least sees a key there?
//!
//! Pieces hold at least one position and blocks at least one query. The first number of `pieces` is never larger than the
//! second.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    (position + 1).saturating_sub(start).min(length)
    //-- end
}

// -> (whole, needed)
pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    //-- starter
    // todo!()
    //-- solution
    ((first + 1) / piece, (first + queries).div_ceil(piece))
    //-- end
}
