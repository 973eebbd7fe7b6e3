//? recognised: any number of rows
//? why: Has room for the scores of 64 rows.

// query: [head_dim], keys, values: [rows, head_dim] -> [head_dim]
pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    let head_dim = query.len();
    let rows = keys.len() / head_dim;
    let first = rows.saturating_sub(window);
    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut weights: Vec<f32> = (first..rows)
        .map(|row| {
            let key = &keys[row * head_dim..][..head_dim];
            query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale
        })
        .collect();
    assert!(weights.len() <= 64);
    let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for weight in &mut weights {
        *weight = (*weight - largest).exp();
    }
    let sum: f32 = weights.iter().sum();
    let mut out = vec![0.0; head_dim];
    for (weight, row) in weights.iter().zip(first..rows) {
        for (o, value) in out.iter_mut().zip(&values[row * head_dim..][..head_dim]) {
            *o += weight / sum * value;
        }
    }
    out
}
