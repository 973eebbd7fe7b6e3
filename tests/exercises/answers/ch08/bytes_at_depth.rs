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
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::{Checked, Failure, call};

    /// Layers, query heads, key-value heads, and `head_dim`.
    type Shape = (u64, u64, u64, u64);

    #[derive(Clone, Copy)]
    struct Given {
        weights: u64,
        shape: Shape,
        bits: u64,
        depth: u64,
    }

    const QWEN: Shape = (28, 16, 8, 128);

    pub fn check(
        bytes: fn(u64, Shape, u64, u64) -> u64,
        most_tokens: fn(u64, f64) -> f64,
        even_depth: fn(u64, Shape, u64) -> Option<u64>,
    ) -> Checked {
        let case = |g: &Given| format!("bytes: {}; depth {}", told(g), g.depth);
        let answer = |g: &Given| bytes(g.weights, g.shape, g.bits, g.depth);
        ask_all(steps(), case, answer, read, &mistakes_of_bytes(), as_written)?;
        speeds(most_tokens)?;
        let case = |g: &Given| format!("even_depth: {}", told(g));
        let answer = |g: &Given| even_depth(g.weights, g.shape, g.bits);
        ask_all(models(), case, answer, even, &mistakes_of_depths(), as_written).map_err(|failure| {
            failure.if_stopped(
                "divide by zero",
                "an earlier token that costs nothing never catches up with the weights: None, at any depth",
            )
        })
    }

    fn told(given: &Given) -> String {
        let Given { weights, shape: (layers, heads, kv_heads, head_dim), bits, .. } = given;
        format!(
            "{weights} bytes of weights; {layers} layers, {heads} heads, {kv_heads} key-value heads, head_dim {head_dim}; {bits} bits a number"
        )
    }

    /// The first ones can be followed with a pencil.
    fn steps() -> Vec<Given> {
        let small = Given { weights: 1_000, shape: (1, 1, 1, 8), bits: 32, depth: 0 };
        let real = Given { weights: 633_500_000, shape: QWEN, bits: 16, depth: 512 };
        vec![
            small,
            Given { depth: 1, ..small },
            Given { depth: 10, bits: 16, ..small },
            Given { depth: 10, shape: (3, 4, 2, 8), bits: 8, ..small },
            Given { depth: 10, shape: (3, 4, 2, 8), bits: 4, ..small },
            Given { depth: 7, shape: (0, 4, 2, 8), ..small },
            real,
            Given { depth: 40_960, bits: 32, ..real },
            Given {
                depth: 1_000_000,
                shape: (80, 64, 8, 128),
                weights: 70_000_000_000,
                ..real
            },
            // Neither 32 bits nor an f64 hold all of these.
            Given { depth: 16_777_217, shape: (127, 64, 65, 655_371), bits: 8, ..real },
        ]
    }

    fn models() -> Vec<Given> {
        let small = Given { weights: 1_000, shape: (1, 1, 1, 8), bits: 32, depth: 0 };
        let real = Given { weights: 633_500_000, shape: QWEN, bits: 16, depth: 0 };
        vec![
            small,
            // No rest.
            Given { weights: 640, ..small },
            Given { weights: 1, ..small },
            Given { shape: (3, 4, 2, 8), bits: 4, ..small },
            real,
            Given { bits: 32, ..real },
            Given { shape: (0, 16, 8, 128), ..real },
            Given { shape: (28, 0, 8, 128), ..real },
            // An f64 would lose the rest.
            Given { weights: (1 << 60) + 1, shape: (64, 64, 64, 32_768), bits: 32, depth: 0 },
        ]
    }

    fn read(given: &Given) -> u64 {
        given.weights + given.depth * position(given)
    }

    fn position(given: &Given) -> u64 {
        let (layers, _, kv_heads, head_dim) = given.shape;
        2 * layers * kv_heads * head_dim * given.bits / 8
    }

    /// When each query head has keys and values of its own.
    fn position_of_heads(given: &Given) -> u64 {
        let (layers, heads, _, head_dim) = given.shape;
        2 * layers * heads * head_dim * given.bits / 8
    }

    fn position_in_whole_bytes(given: &Given) -> u64 {
        let (layers, _, kv_heads, head_dim) = given.shape;
        2 * layers * kv_heads * head_dim * (given.bits / 8)
    }

    fn even(given: &Given) -> Option<u64> {
        let position = position(given);
        (position > 0).then(|| given.weights.div_ceil(position))
    }

    fn mistakes_of_bytes() -> Vec<Mistake<Given, u64>> {
        vec![
            (
                "the past is counted for every query head: those that share a key-value head share its keys and values",
                |g| g.weights + g.depth * position_of_heads(g),
            ),
            ("a number of four bits takes half a byte: two of them share one", |g| {
                g.weights + g.depth * position_in_whole_bytes(g)
            }),
            ("a long past is more than 4 GiB: its bytes do not fit into 32 bits", |g| {
                g.weights + ((g.depth * position(g)) & 0xffff_ffff)
            }),
        ]
    }

    fn mistakes_of_depths() -> Vec<Mistake<Given, Option<u64>>> {
        vec![("at that depth the past still costs less than the weights", |g| {
            g.weights.checked_div(position(g))
        })]
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
                return Err(match near(of(f64::from(1 << 30))) {
                    true => failure.likely("a GB is 10^9 bytes here, not 2^30"),
                    false => failure,
                });
            }
        }
        Ok(())
    }
}
