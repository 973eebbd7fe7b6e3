//? recognised: only minus infinity is below all
//? why: Hides the future with a score of -10,000. That is far below ordinary scores, and nothing keeps a score from being lower still.

pub fn causal_attention(
    q: &[f32],
    k: &[f32],
    v: &[f32],
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
) -> Vec<f32> {
    let rows = q.len() / (heads * head_dim);
    let group = heads / kv_heads;
    let mut out = vec![0.0; q.len()];
    for t in 0..rows {
        for h in 0..heads {
            let g = h / group;
            let query = &q[(t * heads + h) * head_dim..][..head_dim];
            let mut scores: Vec<f32> = (0..rows)
                .map(|s| {
                    let key = &k[(s * kv_heads + g) * head_dim..][..head_dim];
                    let dot: f32 = query.iter().zip(key).map(|(a, b)| a * b).sum();
                    if s <= t { dot / (head_dim as f32).sqrt() } else { -10000.0 }
                })
                .collect();
            let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for s in &mut scores {
                *s = (*s - largest).exp();
            }
            let sum: f32 = scores.iter().sum();
            for d in 0..head_dim {
                for s in 0..=t {
                    out[(t * heads + h) * head_dim + d] +=
                        scores[s] / sum * v[(s * kv_heads + g) * head_dim + d];
                }
            }
        }
    }
    out
}
