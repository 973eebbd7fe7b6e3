//? recognised: add up to 1
//? why: Adds up weight × value and never divides by the sum of the weights.

pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    let d = query.len();
    let rows = keys.len() / d;
    let mut out = vec![0.0; d];
    for r in rows.saturating_sub(window)..rows {
        let score: f32 = (0..d).map(|i| query[i] * keys[r * d + i]).sum();
        let weight = (score / (d as f32).sqrt()).exp();
        for i in 0..d {
            out[i] += weight * values[r * d + i];
        }
    }
    out
}
