//? recognised: 16 bits
//? why: Keeps the number of rows in 16 bits. A context may be longer.

// keys: [kv_heads, rows, head_dim], row: [kv_heads, head_dim] -> [kv_heads, rows + 1, head_dim]
pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = usize::from((keys.len() / (kv_heads * head_dim)) as u16);
    let mut longer = Vec::with_capacity(keys.len() + row.len());
    for head in 0..kv_heads {
        let old = head * rows * head_dim;
        longer.extend_from_slice(&keys[old..old + rows * head_dim]);
        longer.extend_from_slice(&row[head * head_dim..(head + 1) * head_dim]);
    }
    longer
}
