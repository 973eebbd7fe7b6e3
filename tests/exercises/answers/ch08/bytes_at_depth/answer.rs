//? title: What a step reads, however deep
//? page: ch08/index.md
//? section: Where a deep step goes
//? level: warm-up
//? minutes: 15
//? call: check(answer::bytes, answer::most_tokens, answer::even_depth)
//? hint 1: Which of the bytes are the same at every depth, and which come again with each earlier token? Start with a single earlier token: what does one layer keep of it, and for how many heads?
//? hint 2: One earlier token takes `2 * layers * kv_heads * head_dim` numbers, keys and values together. Eight bits are a byte, but four bits are no whole number of bytes, so divide last. The past catches up with the weights at the first depth where its bytes are no fewer: what does that say about rounding?
//? hint 3: `let position = 2 * layers * kv_heads * head_dim * bits / 8;` is what one earlier token costs. The step reads `weights + depth * position`, the most tokens a second are `gb_per_second * 1e9 / bytes as f64`, and the depth is `weights.div_ceil(position)`, unless `position` is 0.
//? why: A step reads all weights once and every key and value of the past once. Two query heads that share a key-value head
//?   share its bytes, so `heads` isn't in the formula. The division by 8 comes last because a product of whole numbers loses
//?   nothing before it. With the numbers of Qwen3-0.6B the past catches up after 2,762 tokens in `f32` and after 5,524 in sixteen
//?   bits. At that depth a step reads twice the weights, so no machine gives more than half the tokens that it gives at the
//?   start. Halving the numbers moves this depth to twice as far, and does nothing at all for a short text.

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

/// Layers, query heads, key-value heads, and `head_dim`.
type Shape = (u64, u64, u64, u64);

pub fn bytes(weights: u64, shape: Shape, bits: u64, depth: u64) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    weights + depth * position(shape, bits)
    //-- end
}

pub fn most_tokens(bytes: u64, gb_per_second: f64) -> f64 {
    //-- starter
    // todo!()
    //-- solution
    gb_per_second * 1e9 / bytes as f64
    //-- end
}

pub fn even_depth(weights: u64, shape: Shape, bits: u64) -> Option<u64> {
    //-- starter
    // todo!()
    //-- solution
    match position(shape, bits) {
        0 => None,
        position => Some(weights.div_ceil(position)),
    }
    //-- end
}
//-- solution

// The bytes of one earlier token.
fn position((layers, _, kv_heads, head_dim): Shape, bits: u64) -> u64 {
    2 * layers * kv_heads * head_dim * bits / 8
}
//-- end
