//? recognised: in front of the old ones
//? why: Puts the new row before the old ones, so the newest token is at position 0.

pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = Vec::new();
    for head in 0..kv_heads {
        longer.extend_from_slice(&row[head * head_dim..][..head_dim]);
        longer.extend_from_slice(&keys[head * rows * head_dim..][..rows * head_dim]);
    }
    longer
}
