//? recognised: written over the last old row
//? why: Writes at row `rows - 1` instead of `rows`. The newest token replaces the one before it.

pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = keys.to_vec();
    for head in 0..kv_heads {
        let last = (head * rows + rows.saturating_sub(1)) * head_dim;
        for i in 0..head_dim {
            if last + i < longer.len() {
                longer[last + i] = row[head * head_dim + i];
            }
        }
    }
    longer
}
