//? recognised: a row counts twice
//? why: Adds the row of the embedding even if the embedding is read whole anyway.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    let attention = shape.hidden * (wide + wide) + 2 * shape.hidden * narrow;
    let mlp = 3 * shape.hidden * shape.ffn;
    let norms = 2 * shape.hidden + 2 * shape.head_dim;
    let past = 2 * narrow * depth;
    let embedding = shape.hidden;
    let head = shape.vocab * shape.hidden + shape.hidden;
    4 * (shape.layers * (attention + mlp + norms + past) + embedding + head)
}
