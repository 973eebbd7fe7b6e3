//? recognised: an f32 does not hold
//? why: Computes in f32, which holds whole numbers up to 2<sup>24</sup>. Larger ones are rounded.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    let attention = 2 * shape.hidden * (wide + narrow);
    let mlp = 3 * shape.hidden * shape.ffn;
    let norms = 2 * shape.hidden + 2 * shape.head_dim;
    let past = 2 * narrow * depth;
    let embedding = if shape.tied { 0 } else { shape.hidden };
    let head = shape.vocab * shape.hidden + shape.hidden; // and the last norm
    (4 * (shape.layers * (attention + mlp + norms + past) + embedding + head)) as f32 as u64
}
