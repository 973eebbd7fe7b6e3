//? recognised: read as [head_dim
//? why: Takes the new row apart the wrong way round: every `kv_heads`-th number instead of neighbours.

pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = Vec::new();
    for head in 0..kv_heads {
        longer.extend_from_slice(&keys[head * rows * head_dim..][..rows * head_dim]);
        longer.extend((0..head_dim).map(|i| row[i * kv_heads + head]));
    }
    longer
}
