//? title: Which query heads read a key-value head
//? page: ch00/attention.md
//? section: Heads that share
//? level: warm-up
//? minutes: 10
//? call: check(answer::readers)
//? hint 1: The page goes from a query head to the key-value head that it reads. With 16 query heads and 8 key-value heads, which two read number 3?
//? hint 2: All groups have `heads / kv_heads` query heads, and they follow one another. When is that no whole number, and when is there no such group?
//? hint 3: `let group = heads / kv_heads;` and then `Some(kv_head * group..(kv_head + 1) * group)`, after `None` for a `kv_head` that is too large and for a remainder.
//? why: This is the rule of the page, read from the other side. Head h reads key-value head h / group, so head number g is
//?   read by all h from g * group up to the next group. The tests come first because a file may state any numbers. With 14
//?   query heads and 4 key-value heads some query heads would belong to no group, and nothing would fail.

//! Grouped-query attention, from the other side: `heads` query heads share `kv_heads` key-value heads, in groups of
//! neighbours of the same size, as on the page.
//!
//! Return the query heads that read key-value head `kv_head`, as a range: the first one, and the one after the last. Return
//! `None` if there is no such head, or if the heads cannot be shared out evenly. It never panics.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    //-- starter
    // todo!()
    //-- solution
    if kv_head >= kv_heads || !heads.is_multiple_of(kv_heads) {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head * group..(kv_head + 1) * group)
    //-- end
}
