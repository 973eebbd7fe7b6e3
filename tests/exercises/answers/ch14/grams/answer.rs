//? title: Where it went on the last time
//? page: ch14/guess.md
//? section: Where it went on
//? level: warm-up
//? minutes: 20
//? call: check(answer::places)
//? hint 1: Write a text of ten letters down, with its places under it, and cover it with a sheet of paper. Uncover one letter after the other. What must you have noted by now, to say at a glance where the last three stood before, and what may you only note afterwards?
//? hint 2: Keep a map from three tokens to the place where the text went on after them. When n tokens are uncovered, the last three go on at place n, though nobody knows yet with what. So look first, and enter that afterwards.
//? hint 3: `HashMap::insert` does both: it enters a place and gives back the one that it replaces. For each n from 1 to the length, the key is `ids[..n].last_chunk::<3>()`, which is `None` for the first two.
//? why: The place after the last three tokens is always there to be found, and it's always useless: the text hasn't gone on yet. An index that looks first and enters afterwards
//?   can't make that mistake. The chapter's index enters late for the same reason: a place only when there's a token at it. And by replacing what was there,
//?   the map remembers the last time for free. How long the text is doesn't matter: each token costs one look. A search backwards
//?   is slowest in a text that never repeats itself, where there's nothing to gain.

//! A text is written token by token. Say after each of its tokens where it went on *the last time*. The text so far ends in
//! three tokens: find the last time before that these three came one after the other, and return the place of the token that
//! followed them. Places count from 0.
//!
//! Return one answer for each token, in their order. It's `None` if the three tokens have never been there before, or if there
//! aren't three yet. Each answer knows only what was written by then: the token that followed has to be there already.
//!
//! For `[1, 2, 3, 1, 2, 3, 1]` that's `[None, None, None, None, None, Some(3), Some(4)]`.

//-- solution
use std::collections::HashMap;

//-- end
pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let mut index = HashMap::new();
    // What `insert` returns is the place that was entered before.
    let after = |count: usize| index.insert(ids[..count].last_chunk::<3>()?, count);
    (1..=ids.len()).map(after).collect()
    //-- end
}
