//? recognised: exp overflowed
//? why: Takes the exponentials as they are. A score of 200 is infinite, and infinity by infinity is NaN.

pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    let d = query.len();
    let rows = keys.len() / d;
    let mut out = vec![0.0; d];
    let mut sum = 0.0;
    for r in rows.saturating_sub(window)..rows {
        let score: f32 = (0..d).map(|i| query[i] * keys[r * d + i]).sum();
        let weight = (score / (d as f32).sqrt()).exp();
        sum += weight;
        for i in 0..d {
            out[i] += weight * values[r * d + i];
        }
    }
    out.iter().map(|x| x / sum).collect()
}
