//? title: Predict what one decode step reads, and let an engine count
//? page: ch03/roofline.md
//? section: Bytes for one token
//? level: core
//? minutes: 30
//? call: check(bytes_per_token)
//? hint 1: Make a list of all that a layer owns: four matrices for attention, three for the MLP, and the small vectors of its norms. Then what there is once for the whole model. Then the past.
//? hint 2: Attention: query and output are heads * head_dim by hidden, key and value kv_heads * head_dim by hidden. MLP: three times ffn by hidden. Norms: two of hidden, two of head_dim, and one of hidden at the end. Of the embedding one row is looked up, but the head reads a whole matrix of vocab by hidden.
//? hint 3: If the head is the embedding (`tied`), the row that was looked up is in it and counts once. If not, it comes on top: hidden more numbers. The past: 2 * layers * kv_heads * head_dim * depth. All of it times 4.
//? why: The weights are the same for every token, and a token that comes alone pays for reading all of them. The norms are in
//?   the sum so that it is exact: in Qwen3-0.6B they are one byte in nine thousand. An embedding of its own gives one row,
//?   however large it is. A tied one is read whole, as the head. Keys and values are added for every earlier token, and
//?   query heads that share a key read it once.

// A counting engine (`exercise_kit::counting`) decodes one token that has `depth` tokens before it. It notes every number
// that it reads from memory: weights, those of the norms included, and keys and values of the earlier tokens. Each
// number is an f32, and counts once, however often it is used. The token's own key and value are not counted:
// they have just been computed.
//
// Predict the count, in bytes, from the shape alone. The check runs the engine and compares.
//
// The fields of `Shape` are `layers`, `hidden` (the numbers of a hidden state), `ffn` (the inner width of the MLP), `heads`,
// `kv_heads`, `head_dim` and `vocab`, all of them `u64`. The last one, `tied`, is a `bool`: it is true if the output head,
// which makes the logits, is the embedding matrix itself, and false if the head is a matrix of its own.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    let attention = 2 * shape.hidden * (wide + narrow);
    let mlp = 3 * shape.hidden * shape.ffn;
    let norms = 2 * shape.hidden + 2 * shape.head_dim;
    let past = 2 * narrow * depth;
    let embedding = if shape.tied { 0 } else { shape.hidden };
    let head = shape.vocab * shape.hidden + shape.hidden; // and the last norm
    4 * (shape.layers * (attention + mlp + norms + past) + embedding + head)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::counting::{Shape, decode_and_count};
    use exercise_kit::{Checked, call, call_or, same};

    pub fn check(answer: fn(&Shape, u64) -> u64) -> Checked {
        let small = Shape {
            layers: 3,
            hidden: 24,
            ffn: 40,
            heads: 6,
            kv_heads: 3,
            head_dim: 8,
            vocab: 50,
            tied: true,
        };
        let alone = Shape { kv_heads: 6, layers: 2, ..small };
        // In each, one thing more can go wrong.
        for (shape, depth, likely) in [
            (
                Shape { layers: 0, ..small },
                0,
                "the head is missing: what are the logits made from?",
            ),
            (
                Shape { layers: 0, tied: false, ..small },
                0,
                "the whole embedding is counted: how much of it does one token need?",
            ),
            (alone, 9, "the token's own key and value are counted; they were just computed"),
            (
                small,
                0,
                "key and value matrices are as wide as the query's here: how many heads have they?",
            ),
            (small, 10, "the past is counted once for every query head"),
            (Shape { heads: 4, kv_heads: 1, head_dim: 16, ffn: 33, ..small }, 100, ""),
            (Shape { tied: false, layers: 2, ..small }, 300, ""),
        ] {
            let case = format!("{shape:?}, depth {depth}");
            let found = call(&case, || answer(&shape, depth))?;
            let counted = decode_and_count(&shape, depth);
            // The formula has to be right where nothing can be run.
            same("the check itself", &counted, &by_formula(&shape, depth), &[])?;
            same(&case, &counted, &found, &[]).map_err(|failure| failure.likely(likely))?;
        }
        // Too large to be run here: this one is computed as the others are counted.
        let shape = Shape {
            layers: 28,
            hidden: 1000,
            ffn: 3072,
            heads: 16,
            kv_heads: 8,
            head_dim: 128,
            vocab: 151_936,
            tied: true,
        };
        let case = format!("{shape:?}, depth 40000");
        let narrow = "32 bits do not hold it: a long past is more than 4 GiB";
        let right = by_formula(&shape, 40_000);
        let found = call_or(&case, right, narrow, || answer(&shape, 40_000))?;
        same(&case, &right, &found, &[(narrow, u64::from(right as u32))])
    }

    fn by_formula(shape: &Shape, depth: u64) -> u64 {
        let Shape { layers, hidden, ffn, heads, kv_heads, head_dim, vocab, tied } = *shape;
        let layer = 2 * hidden * (heads + kv_heads) * head_dim
            + 3 * hidden * ffn
            + 2 * (hidden + head_dim)
            + 2 * kv_heads * head_dim * depth;
        4 * (layers * layer + (vocab + 1) * hidden + if tied { 0 } else { hidden })
    }
}
