//? title: What a step reads, however deep
//? page: ch08/index.md
//? section: Where a deep step goes
//? level: warm-up
//? minutes: 15
//? call: check(bytes, most_tokens, even_depth)
//? hint 1: Which of the bytes are the same at every depth, and which come again with each earlier token? Start with a single earlier token: what does one layer keep of it, and for how many heads?
//? hint 2: One earlier token takes `2 * layers * kv_heads * head_dim` numbers, keys and values together. Eight bits are a byte, but four bits are no whole number of bytes, so divide last. The past catches up with the weights at the first depth where its bytes are no fewer: what does that say about rounding?
//? hint 3: `let position = 2 * layers * kv_heads * head_dim * bits / 8;` is what one earlier token costs. The step reads `weights + depth * position`, the most tokens a second are `gb_per_second * 1e9 / bytes as f64`, and the depth is `weights.div_ceil(position)`, unless `position` is 0.
//? why: A step reads all weights once and every key and value of the past once. Two query heads that share a key-value head
//?   share its bytes, so `heads` isn't in the formula. The division by 8 comes last because a product of whole numbers loses
//?   nothing before it. With the numbers of Qwen3-0.6B the past catches up after 2,762 tokens in `f32` and after 5,524 in sixteen
//?   bits. At that depth a step reads twice the weights, so no machine gives more than half the tokens that it gives at the
//?   start. Halving the numbers moves this depth to twice as far, and does nothing at all for a short text.

// A decode step reads all weights, and then the keys and values of every earlier token. Early on that's hardly more
// than the weights. Three functions say how it goes on:
//
// - `bytes`: how many bytes a step reads when `depth` tokens came before it. The weights are `weights` bytes. For each
//   earlier token, each layer keeps one key and one value for each key-value head, `head_dim` numbers long. A number in
//   the cache takes `bits` bits: 32, 16, 8 or 4. The token's own key and value have just been computed and aren't read.
// - `most_tokens`: the most tokens a second at which a step can read so many bytes, where memory gives `gb_per_second`
//   (1 GB = 10^9 bytes).
// - `even_depth`: the smallest depth at which the past costs at least as many bytes as the weights. If an earlier token
//   costs nothing (a model without layers, say), no depth is deep enough: return `None`.
//
// Qwen3-0.6B has 28 layers, 16 heads, 8 key-value heads and a `head_dim` of 128. With 633,500,000 bytes of weights and
// a cache in 16 bits, the past costs as much from depth 5,524 on.

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

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Failure, Random, call};

    /// Layers, query heads, key-value heads, and `head_dim`.
    type Shape = (u64, u64, u64, u64);

    #[derive(Clone, Copy)]
    struct Given {
        weights: u64,
        shape: Shape,
        bits: u64,
        depth: u64,
    }

    const SMALL: Given = Given { weights: 1_000, shape: (1, 1, 1, 8), bits: 32, depth: 10 };
    const QWEN: Given =
        Given { weights: 633_500_000, shape: (28, 16, 8, 128), bits: 16, depth: 40_960 };

    pub fn check(
        bytes: fn(u64, Shape, u64, u64) -> u64,
        most_tokens: fn(u64, f64) -> f64,
        even_depth: fn(u64, Shape, u64) -> Option<u64>,
    ) -> Checked {
        let heads = "the past is counted for every query head: those that share a key-value head share its keys and values";
        let half = "a number of four bits takes half a byte: two of them share one";
        let long = "a long past is more than 4 GiB: its bytes do not fit into 32 bits";
        let first = [
            ("", Given { depth: 0, ..SMALL }),
            ("", SMALL),
            (heads, Given { shape: (3, 4, 2, 8), ..SMALL }),
            (half, Given { shape: (3, 4, 2, 8), bits: 4, ..SMALL }),
            (long, QWEN),
        ];
        let case = |g: &Given| format!("bytes: {}; depth {}", told(g), g.depth);
        let answer = |g: &Given| bytes(g.weights, g.shape, g.bits, g.depth);
        let right = |g: &Given| g.weights + g.depth * position(g);
        ask_in_turn(first.into_iter().chain(drawn()), case, answer, right, as_written)?;
        speeds(most_tokens)?;
        let less = "at that depth the past still costs less than the weights";
        let never = "an earlier token that costs nothing never catches up with the weights: None, at any depth";
        let first = [(less, SMALL), (never, Given { shape: (0, 16, 8, 128), ..SMALL })];
        let case = |g: &Given| format!("even_depth: {}", told(g));
        let answer = |g: &Given| even_depth(g.weights, g.shape, g.bits);
        let right = |g: &Given| {
            let depth = g.weights.checked_div(position(g))?;
            Some(depth + u64::from(depth * position(g) < g.weights))
        };
        ask_in_turn(first.into_iter().chain(drawn()), case, answer, right, as_written)
    }

    fn told(given: &Given) -> String {
        let Given { weights, shape: (layers, heads, kv_heads, head_dim), bits, .. } = given;
        format!(
            "{weights} bytes of weights; {layers} layers, {heads} heads, {kv_heads} key-value heads, head_dim {head_dim}; {bits} bits a number"
        )
    }

    /// Of all sizes, up to those that need more bits than an `f64` has.
    fn drawn() -> Vec<(&'static str, Given)> {
        let mut random = Random::new(81);
        let one = |i: usize| {
            let mut below = |most: usize| random.below(most) as u64;
            let shape = (below(100), below(99), below(65), 2 * below(129));
            let bits = [32, 16, 8, 4][i % 4];
            let (weights, depth) = (below(1 << (8 + i / 4)), below(1 << (3 + i / 8)));
            ("", Given { weights, shape, bits, depth })
        };
        (0..216).map(one).collect()
    }

    fn position(given: &Given) -> u64 {
        let (layers, _, kv_heads, head_dim) = given.shape;
        2 * layers * kv_heads * head_dim * given.bits / 8
    }

    fn speeds(most_tokens: impl Fn(u64, f64) -> f64) -> Checked {
        for (bytes, gb) in
            [(1_000_000_000, 25.0), (633_500_000, 27.5), (30_000_000_000, 12.0), (1, 0.5)]
        {
            let case = format!("most_tokens: {bytes} bytes a step, {gb} GB/s");
            let found = call(&case, || most_tokens(bytes, gb))?;
            let of = |giga: f64| gb * giga / bytes as f64;
            let near = |wanted: f64| (found - wanted).abs() <= 1e-9 * wanted.abs();
            if !near(of(1e9)) {
                let failure = Failure::new(&case, of(1e9), found);
                return Err(failure.likely(if near(of(f64::from(1 << 30))) {
                    "a GB is 10^9 bytes here, not 2^30"
                } else {
                    ""
                }));
            }
        }
        Ok(())
    }
}
