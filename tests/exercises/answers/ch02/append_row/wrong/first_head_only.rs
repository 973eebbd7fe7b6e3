//? recognised: only head 0
//? why: Gives the first head its new row and leaves the others as they were.

pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let (first, others) = keys.split_at(rows * head_dim);
    [first, &row[..head_dim], others].concat()
}
