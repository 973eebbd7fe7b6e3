//? recognised: at the end of the whole array

pub fn append_row(keys: &[f32], row: &[f32], _kv_heads: usize, _head_dim: usize) -> Vec<f32> {
    let mut longer = keys.to_vec();
    longer.extend_from_slice(row);
    longer
}
