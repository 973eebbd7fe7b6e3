//? title: Causal attention with shared heads
//? page: ch00/attention.md
//? section: Attention, key by key
//? level: deep
//? minutes: 60
//? call: check(answer::causal_attention)
//? hint 1: Two loops around what you know: over rows (tokens) and over query heads. What does the pair of them decide: which keys may be seen, and which key-value head is read?
//? hint 2: Token t sees the first t + 1 rows: `key_count = t + 1`. Query head h of token t is at `(t * heads + h) * head_dim`, its key-value head g of row r at `(r * kv_heads + g) * head_dim`.
//? hint 3: Per (t, h): `key_count` scores, dot product / sqrt(head_dim); softmax; then out += weight * value row. The page has the formulas; subtract the largest score before `exp`.
//? why: A token never visits the rows that it may not see. That is shorter than a mask and needs no minus infinity. It also
//?   makes the sum for token t the same, whether 5 or 500 tokens follow. Here the loop over the heads is outside, which is
//?   shorter. The chapter has the keys outside, because that is their order in memory.

//! `q` is `[rows, heads, head_dim]`, `k` and `v` are `[rows, kv_heads, head_dim]`, all row-major; norm and rotation are done.
//! For every token t and query head h: scores against the keys of tokens 0 to t (its own included), each divided by
//! sqrt(head_dim), softmax, and the sum of the values with these weights. Neighbouring query heads share a key-value head.
//!
//! Return `[rows, heads, head_dim]`.

pub fn causal_attention(
    q: &[f32], // [rows, heads, head_dim]
    k: &[f32], // [rows, kv_heads, head_dim]
    v: &[f32], // [rows, kv_heads, head_dim]
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
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
            let mut weights: Vec<f32> = (0..key_count)
                .map(|r| {
                    let key = &k[shared(r)..shared(r) + head_dim];
                    query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale
                })
                .collect();
            let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for weight in &mut weights {
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
    //-- end
}
