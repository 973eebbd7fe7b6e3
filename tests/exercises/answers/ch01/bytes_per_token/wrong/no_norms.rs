//? recognised: norms are missing
//? why: Leaves out the norms. They are small, but the engine reads them too.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    let attention = shape.hidden * (wide + wide) + 2 * shape.hidden * narrow;
    let mlp = 3 * shape.hidden * shape.ffn;
    let norms = 0;
    let past = 2 * narrow * depth;
    let embedding = if shape.tied { 0 } else { shape.hidden };
    let head = shape.vocab * shape.hidden + 0;
    4 * (shape.layers * (attention + mlp + norms + past) + embedding + head)
}
