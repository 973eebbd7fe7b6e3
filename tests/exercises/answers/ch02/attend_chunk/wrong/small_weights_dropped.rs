//? recognised: small weights
//? why: Leaves out weights below a millionth. Where the values are large, that shows.

// queries: [seq_q, head_dim], keys, values: [seq_k, head_dim] -> [seq_q, head_dim]
pub fn attend_chunk(
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
    head_dim: usize,
    q_base: usize,
) -> Vec<f32> {
    let seq_k = keys.len() / head_dim;
    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut out = vec![0.0; queries.len()];
    let mut weights: Vec<f32> = Vec::with_capacity(seq_k);
    let rows = queries.chunks_exact(head_dim).zip(out.chunks_exact_mut(head_dim));
    for (t, (query, out)) in rows.enumerate() {
        weights.clear();
        let key_count = (q_base + t + 1).min(seq_k);
        let visible = keys.chunks_exact(head_dim).take(key_count);
        weights.extend(
            visible.map(|key| query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale),
        );
        let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for weight in &mut weights {
            *weight = (*weight - largest).exp();
        }
        let sum: f32 = weights.iter().sum();
        for (weight, value) in weights.iter().zip(values.chunks_exact(head_dim)) {
            if weight / sum < 1e-6 {
                continue;
            }
            for (o, v) in out.iter_mut().zip(value) {
                *o += weight / sum * v;
            }
        }
    }
    out
}
