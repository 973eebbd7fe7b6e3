//? recognised: more keys were asked for
//? why: Loses the minimum with `seq_k`, and asks for a key that is not there.

pub fn attend_chunk(q: &[f32], k: &[f32], v: &[f32], d: usize, q_base: usize) -> Vec<f32> {
    let mut out = vec![0.0; q.len()];
    for t in 0..q.len() / d {
        let mut sum = 0.0;
        for r in 0..q_base + t + 1 {
            let score: f32 = (0..d).map(|i| q[t * d + i] * k[r * d + i]).sum();
            let weight = (score / (d as f32).sqrt()).exp();
            sum += weight;
            (0..d).for_each(|i| out[t * d + i] += weight * v[r * d + i]);
        }
        (0..d).for_each(|i| out[t * d + i] /= sum);
    }
    out
}
