//! Which query heads read a key-value head
//!
//! Grouped-query attention, from the other side: `heads` query heads share `kv_heads` key-value heads, in groups of
//! neighbours of the same size, as on the page.
//!
//! Return the query heads that read key-value head `kv_head`, as a range: the first one, and the one after the last. Return
//! `None` if there is no such head, or if the heads cannot be shared out evenly. It never panics.
//!
//! Read: "Heads that share", in the book at ch00/attention.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/kv_head/1.md`.
//! Run: `cargo test -p ch00-exercises kv_head`

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    todo!()
}
