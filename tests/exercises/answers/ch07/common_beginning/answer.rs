//? title: How much of a cache serves another text
//? page: ch07/kept.md
//? section: A cache and its tokens
//? level: warm-up
//? minutes: 10
//? call: check(answer::kept)
//? hint 1: Write two short texts under each other, and cross out every row that saw another id before it. Then let the second text be a beginning of the first: which id is the last one that still has to be computed?
//? hint 2: Go through both at once, and stop at the first two ids that differ, or where one of them ends. Then there is a limit that depends on the new text alone, and a text may be empty.
//? hint 3: `held.iter().zip(ids).take_while(|(a, b)| a == b).count()` is the common beginning. The limit is `ids.len().saturating_sub(1)`, and the result is the smaller of the two.
//? why: `zip` ends with the shorter of the two, and `take_while` at the first difference: neither asks for an id that is not
//?   there. What comes out of a forward pass are the logits of the last id, and the cache keeps keys and values only. So at
//?   least one id has to be computed. The limit is one less than the text, and not one less than what is common: where the
//?   texts part earlier, all that is common stays. An empty text has nothing to keep, and `saturating_sub` ends at 0.

//! A cache has one row for each id of `held`. Now the logits after the text `ids` are wanted. Most of it may be in the cache
//! already: what comes after is another question, or the last turn was taken back, or somebody has changed a word.
//!
//! Return how many rows of the cache can be kept, as many as possible:
//!
//! - A row was made from its own id and from all ids before it. It can be kept if these are the ids of the new text, at the
//!   same positions. Nothing moves: a row stays where it is, or it is cut off.
//! - The last id of the new text is always computed, even if the cache has its row. Its logits are wanted, and a cache has
//!   only keys and values.
//!
//! Either may be longer than the other, and either may be empty. Of an empty text nothing is kept.

// held, ids: any length, any ids
pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let common = held.iter().zip(ids).take_while(|(a, b)| a == b).count();
    common.min(ids.len().saturating_sub(1))
    //-- end
}
