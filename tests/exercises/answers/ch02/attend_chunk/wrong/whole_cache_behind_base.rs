//? recognised: only the first query
//? why: Counts the keys once for the chunk. The first query is right, and the others miss their neighbours.

pub fn attend_chunk(q: &[f32], k: &[f32], v: &[f32], d: usize, q_base: usize) -> Vec<f32> {
    // key_count worked out once for the chunk.
    let seq_k = (k.len() / d).min(q_base + 1);
    let mut out = vec![0.0; q.len()];
    for t in 0..q.len() / d {
        let mut sum = 0.0;
        for r in 0..seq_k {
            let score: f32 = (0..d).map(|i| q[t * d + i] * k[r * d + i]).sum();
            let weight = (score / (d as f32).sqrt()).exp();
            sum += weight;
            (0..d).for_each(|i| out[t * d + i] += weight * v[r * d + i]);
        }
        (0..d).for_each(|i| out[t * d + i] /= sum);
    }
    out
}
