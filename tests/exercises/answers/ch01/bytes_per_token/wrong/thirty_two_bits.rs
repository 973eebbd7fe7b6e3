//? recognised: 32 bits
//? why: Computes in 32 bits. The weights of the real model fit, and with a long past the sum does not.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    let attention = 2 * shape.hidden * (wide + narrow);
    let mlp = 3 * shape.hidden * shape.ffn;
    let norms = 2 * shape.hidden + 2 * shape.head_dim;
    let past = 2 * narrow * depth;
    let embedding = if shape.tied { 0 } else { shape.hidden };
    let head = shape.vocab * shape.hidden + shape.hidden; // and the last norm
    u64::from((4 * (shape.layers * (attention + mlp + norms + past) + embedding + head)) as u32)
}
