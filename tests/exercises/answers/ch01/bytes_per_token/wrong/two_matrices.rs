//? recognised: of the MLP is missing
//? why: Gives the MLP two matrices, as in models without a gate.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    let attention = shape.hidden * (wide + wide) + 2 * shape.hidden * narrow;
    let mlp = 2 * shape.hidden * shape.ffn;
    let norms = 2 * shape.hidden + 2 * shape.head_dim;
    let past = 2 * narrow * depth;
    let embedding = if shape.tied { 0 } else { shape.hidden };
    let head = shape.vocab * shape.hidden + shape.hidden;
    4 * (shape.layers * (attention + mlp + norms + past) + embedding + head)
}
