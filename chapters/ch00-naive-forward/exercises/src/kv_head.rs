//! Which key-value head a query head reads
//!
//! Grouped-query attention: `heads` query heads share `kv_heads` key-value heads, in groups of neighbours of the same size.
//! The first group reads key-value head 0, the next one 1, and so on.
//!
//! Return the key-value head that query head `head` reads. `kv_heads` divides `heads`, and `head` is below `heads`.
//!
//! Read: "Heads that share", in the book at ch00/attention.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/kv_head/1.md`.
//! Run: `cargo test -p ch00-exercises kv_head`

pub fn kv_head(head: usize, heads: usize, kv_heads: usize) -> usize {
    todo!()
}
