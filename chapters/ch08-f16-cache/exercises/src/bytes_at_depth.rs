//! What a step reads, however deep
//!
//! A decode step reads all weights, and then the keys and values of every earlier token. Early on that's hardly more
//! than the weights. Three functions say how it goes on:
//!
//! - `bytes`: how many bytes a step reads when `depth` tokens came before it. The weights are `weights` bytes. For each
//!   earlier token, each layer keeps one key and one value for each key-value head, `head_dim` numbers long. A number in
//!   the cache takes `bits` bits: 32, 16, 8 or 4. The token's own key and value have just been computed and aren't read.
//! - `most_tokens`: the most tokens a second at which a step can read so many bytes, where memory gives `gb_per_second`
//!   (1 GB = 10^9 bytes).
//! - `even_depth`: the smallest depth at which the past costs at least as many bytes as the weights. If an earlier token
//!   costs nothing (a model without layers, say), no depth is deep enough: return `None`.
//!
//! Qwen3-0.6B has 28 layers, 16 heads, 8 key-value heads and a `head_dim` of 128. With 633,500,000 bytes of weights and
//! a cache in 16 bits, the past costs as much from depth 5,524 on.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Where a deep step goes", in the book at ch08/index.html.
//! Run: `cargo run -- watch bytes_at_depth`, or once: `cargo test -p ch08-exercises bytes_at_depth`.
//! Stuck: `cargo run -- hint bytes_at_depth`. Done: `cargo run -- solution bytes_at_depth`. Start over: `cargo run -- reset bytes_at_depth`.

/// Layers, query heads, key-value heads, and `head_dim`.
type Shape = (u64, u64, u64, u64);

pub fn bytes(weights: u64, shape: Shape, bits: u64, depth: u64) -> u64 {
    todo!()
}

pub fn most_tokens(bytes: u64, gb_per_second: f64) -> f64 {
    todo!()
}

pub fn even_depth(weights: u64, shape: Shape, bits: u64) -> Option<u64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(bytes, most_tokens, even_depth) in "../../../../tests/exercises/answers/ch08/bytes_at_depth.rs");
