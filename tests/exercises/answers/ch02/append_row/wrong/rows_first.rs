//? recognised: [rows, kv_heads, head_dim]
//? why: Returns `[rows, kv_heads, head_dim]`, the layout of the chapter. This exercise keeps the rows of a head together.

pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = Vec::new();
    for r in 0..rows {
        for head in 0..kv_heads {
            longer.extend_from_slice(&keys[(head * rows + r) * head_dim..][..head_dim]);
        }
    }
    longer.extend_from_slice(row);
    longer
}
