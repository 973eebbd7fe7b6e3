//? recognised: cut at the end
//? why: Shortens the buffer to `key_count` after the scores came in. The old scores come first, so it keeps the wrong ones.

pub fn attend_chunk(
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
    d: usize,
    q_base: usize,
) -> Vec<f32> {
    let n = keys.len() / d;
    let mut out = vec![0.0; queries.len()];
    let mut weights: Vec<f32> = Vec::new();
    let seq_q = queries.len() / d;
    for t in 0..seq_q {
        let key_count = (q_base + t + 1).min(n);
        for r in 0..key_count {
            let dot: f32 = (0..d).map(|i| queries[t * d + i] * keys[r * d + i]).sum();
            weights.push(dot / (d as f32).sqrt());
        }
        weights.truncate(key_count);
        let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for weight in &mut weights {
            let _ = largest;
            *weight = (*weight - largest).exp();
        }
        let sum: f32 = weights.iter().sum();
        for (r, weight) in weights.iter().enumerate().take(n) {
            (0..d).for_each(|i| out[t * d + i] += weight / sum * values[r * d + i]);
        }
    }
    out
}
