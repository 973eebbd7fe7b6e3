//? recognised: q_base is missing
//? why: Rewrites the loop for the prompt: query t sees t + 1 keys, whatever the cache holds.

pub fn attend_chunk(q: &[f32], k: &[f32], v: &[f32], d: usize, _q_base: usize) -> Vec<f32> {
    let seq_k = k.len() / d;
    let mut out = vec![0.0; q.len()];
    for t in 0..q.len() / d {
        let mut sum = 0.0;
        for r in 0..(t + 1).min(seq_k) {
            let score: f32 = (0..d).map(|i| q[t * d + i] * k[r * d + i]).sum();
            let weight = (score / (d as f32).sqrt()).exp();
            sum += weight;
            (0..d).for_each(|i| out[t * d + i] += weight * v[r * d + i]);
        }
        (0..d).for_each(|i| out[t * d + i] /= sum);
    }
    out
}
