//! Which query heads read a key-value head
//!
//! Grouped-query attention, from the other side: `heads` query heads share `kv_heads` key-value heads, in groups of
//! neighbours of the same size, as on the page.
//!
//! Return the query heads that read key-value head `kv_head`, as a range: the first one, and the one after the last. Return
//! `None` if there is no such head, or if the heads cannot be shared out evenly. It never panics.
//!
//! Level: warm-up, about 10 minutes.
//! Read: "Heads that share", in the book at ch00/mean.html.
//! Run: `cargo run -- watch kv_head`, or once: `cargo test -p ch00-exercises kv_head`.
//! Stuck: `cargo run -- hint kv_head`. Done: `cargo run -- solution kv_head`. Start over: `cargo run -- reset kv_head`.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(readers) in "../../../../tests/exercises/answers/ch00/kv_head.rs");
