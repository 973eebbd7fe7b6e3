//? recognised: at the end of the whole array
//? why: Appends the whole row at the end of the array. Only the last head gets its part in the right place.

pub fn append_row(keys: &[f32], row: &[f32], _kv_heads: usize, _head_dim: usize) -> Vec<f32> {
    let mut longer = keys.to_vec();
    longer.extend_from_slice(row);
    longer
}
