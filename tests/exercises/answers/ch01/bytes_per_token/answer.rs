//? title: Predict what one decode step reads, and let an engine count
//? page: ch01/roofline.md
//? section: Bytes for one token
//? level: core
//? minutes: 30
//? call: check(answer::bytes_per_token)
//? hint 1: Make a list of all that a layer owns: four matrices for attention, three for the MLP, and the small vectors of its norms. Then what there is once for the whole model. Then the past.
//? hint 2: Attention: query and output are heads * head_dim by hidden, key and value kv_heads * head_dim by hidden. MLP: three times ffn by hidden. Norms: two of hidden, two of head_dim, and one of hidden at the end. Of the embedding one row is looked up, but the head reads a whole matrix of vocab by hidden.
//? hint 3: If the head is the embedding (`tied`), the row that was looked up is in it and counts once. If not, it comes on top: hidden more numbers. The past: 2 * layers * kv_heads * head_dim * depth. All of it times 4.
//? why: The weights are the same for every token, and a token that comes alone pays for reading all of them. The norms are in
//?   the sum so that it is exact: in Qwen3-0.6B they are one byte in nine thousand. An embedding of its own gives one row,
//?   however large it is. A tied one is read whole, as the head. Keys and values are added for every earlier token, and
//?   query heads that share a key read it once.

//! A counting engine (`exercise_kit::counting`) decodes one token that has `depth` tokens before it. It notes every number
//! that it reads from memory: weights, those of the norms included, and keys and values of the earlier tokens. Each
//! number is an f32, and counts once, however often it is used. The token's own key and value are not counted:
//! they have just been computed.
//!
//! Predict the count, in bytes, from the shape alone. The check runs the engine and compares.
//!
//! The fields of `Shape` are `layers`, `hidden` (the numbers of a hidden state), `ffn` (the inner width of the MLP), `heads`,
//! `kv_heads`, `head_dim` and `vocab`, all of them `u64`. The last one, `tied`, is a `bool`: it is true if the output head,
//! which makes the logits, is the embedding matrix itself, and false if the head is a matrix of its own.

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
