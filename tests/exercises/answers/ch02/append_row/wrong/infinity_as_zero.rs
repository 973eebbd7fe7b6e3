//? recognised: an infinity became 0
//? why: Copies what is finite and writes 0 for the rest. A fault that the row should show is hidden.

// keys: [kv_heads, rows, head_dim], row: [kv_heads, head_dim] -> [kv_heads, rows + 1, head_dim]
pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = Vec::with_capacity(keys.len() + row.len());
    for head in 0..kv_heads {
        let old = head * rows * head_dim;
        longer.extend_from_slice(&keys[old..old + rows * head_dim]);
        longer.extend(
            row[head * head_dim..(head + 1) * head_dim]
                .iter()
                .map(|x| if x.is_finite() { *x } else { 0.0 }),
        );
    }
    longer
}
