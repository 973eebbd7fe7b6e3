//? title: The bound for a batch: which bytes are shared
//? page: ch01/roofline.md
//? section: The bound
//? level: core
//? minutes: 20
//? call: check(answer::batch_bound)
//? hint 1: Eight sequences are decoded in one pass. Which bytes does the pass read once, and which eight times? How many tokens does it give?
//? hint 2: A pass reads weights + batch * past bytes and gives `batch` tokens. For the limit, let the batch grow without end: what becomes of the share of the weights in each token?
//? hint 3: `let bytes = weight_bytes as f64 + batch as f64 * past_bytes as f64;` the bound is `batch as f64 * gb_per_second * 1e9 / bytes`, and the limit is `gb_per_second * 1e9 / past_bytes as f64`.
//? why: A batch shares the weights and nothing else. At first its speed grows with every sequence. Later each new sequence
//?   costs about as much as it brings, because it has its own past to read. So batching is excellent for short texts and
//?   helps little with long ones. Without a past there is no limit from memory, and the division by 0 says so: infinity.

//! The page has the bound for one sequence. A server decodes several at once: one pass reads the weights once for all of
//! them, and for each sequence its own keys and values. It gives one token to each.
//!
//! `weight_bytes` are the bytes of all weights, `past_bytes` those of the keys and values of one sequence; all of them are
//! equally long here. The memory gives `gb_per_second` (1 GB = 10^9 bytes). Return two numbers, in tokens per second of all
//! sequences together: the most that memory allows for this batch, and the limit that no batch can pass, however large
//! (infinity if there is none).

pub fn batch_bound(
    weight_bytes: u64,
    past_bytes: u64,
    gb_per_second: f64,
    batch: u64,
) -> (f64, f64) {
    //-- starter
    // todo!()
    //-- solution
    let bandwidth = gb_per_second * 1e9;
    let bytes = weight_bytes as f64 + batch as f64 * past_bytes as f64;
    (batch as f64 * bandwidth / bytes, bandwidth / past_bytes as f64)
    //-- end
}
