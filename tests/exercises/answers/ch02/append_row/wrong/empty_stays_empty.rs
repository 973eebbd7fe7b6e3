//? recognised: an empty cache
//? why: Walks over the old rows to find the heads. A cache without rows has none to walk over, and stays empty.

pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = Vec::new();
    for (head, old) in keys.chunks((rows * head_dim).max(1)).enumerate() {
        longer.extend_from_slice(old);
        longer.extend_from_slice(&row[head * head_dim..][..head_dim]);
    }
    longer
}
