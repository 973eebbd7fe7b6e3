//? recognised: sqrt(head_dim)
//? why: Forgets to divide by the root of `head_dim`.

pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    let d = query.len();
    let rows = keys.len() / d;
    let first = rows.saturating_sub(window);
    let mut out = vec![0.0; d];
    let mut sum = 0.0;
    for r in first..rows {
        let score: f32 = (0..d).map(|i| query[i] * keys[r * d + i]).sum();
        let weight = score.exp();
        sum += weight;
        for i in 0..d {
            out[i] += weight * values[r * d + i];
        }
    }
    out.iter().map(|x| x / sum).collect()
}
