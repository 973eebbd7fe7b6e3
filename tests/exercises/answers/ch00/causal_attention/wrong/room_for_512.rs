//? recognised: any number of rows
//? why: Has room for the scores of 512 rows.

pub fn causal_attention(
    q: &[f32], // [rows, heads, head_dim]
    k: &[f32], // [rows, kv_heads, head_dim]
    v: &[f32], // [rows, kv_heads, head_dim]
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
) -> Vec<f32> {
    let rows = q.len() / (heads * head_dim);
    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut out = vec![0.0; q.len()];
    for t in 0..rows {
        let key_count = t + 1;
        for h in 0..heads {
            let start = (t * heads + h) * head_dim;
            let group = h / (heads / kv_heads);
            let shared = |r: usize| (r * kv_heads + group) * head_dim;
            let query = &q[start..start + head_dim];
            let mut room = [0.0f32; 512];
            let weights = &mut room[..key_count];
            let scores = (0..key_count).map(|r| {
                let key = &k[shared(r)..shared(r) + head_dim];
                query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale
            });
            weights.iter_mut().zip(scores).for_each(|(weight, score)| *weight = score);
            let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for weight in weights.iter_mut() {
                *weight = (*weight - largest).exp();
            }
            let sum: f32 = weights.iter().sum();
            for (r, weight) in weights.iter().enumerate() {
                let value = &v[shared(r)..shared(r) + head_dim];
                for (o, v) in out[start..start + head_dim].iter_mut().zip(value) {
                    *o += weight / sum * v;
                }
            }
        }
    }
    out
}
