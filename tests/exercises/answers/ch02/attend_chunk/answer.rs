//? title: Causal attention for a chunk of queries behind a cache: key_count
//? page: ch02/model.md
//? section: Queries and keys of different lengths
//? minutes: 30
//? call: check(answer::attend_chunk)
//? hint 1: Query t of this chunk is not token t of the sequence. Which position has it?
//? hint 2: Its position is `q_base + t`, and it sees the keys of positions 0 to `q_base + t`: how many are these?
//? hint 3: `let key_count = (q_base + t + 1).min(seq_k);` and then ordinary attention over the first `key_count` rows. No mask is needed: rows that are not visible are not visited.
//? why: A count is better than a mask of minus infinities: the work that would be thrown away is not done, and each
//?   query's sum runs over exactly the numbers it would run over if it came alone, in the same order. That is what makes chunks of 1, 7 and
//?   64 give the same bits.

//! One head. The cache holds `seq_k` keys and values, the chunk's own among them. The chunk's queries are the tokens at
//! positions `q_base`, `q_base + 1`, ... Each query may see the keys of its own position and of all before:
//! `key_count = min(q_base + t + 1, seq_k)` rows for query `t`.
//!
//! Return the attention's result for each query: softmax((query . key) / sqrt(head_dim)) over the visible rows, times the values.
//! With `q_base = 0` and as many queries as keys this is the prompt's causal attention; with one query it is decoding.

// queries: [seq_q, head_dim], keys, values: [seq_k, head_dim] -> [seq_q, head_dim]
pub fn attend_chunk(
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
    head_dim: usize,
    q_base: usize,
) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    let seq_k = keys.len() / head_dim;
    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut out = vec![0.0; queries.len()];
    let rows = queries.chunks_exact(head_dim).zip(out.chunks_exact_mut(head_dim));
    for (t, (query, out)) in rows.enumerate() {
        let key_count = (q_base + t + 1).min(seq_k);
        let mut weights: Vec<f32> = keys
            .chunks_exact(head_dim)
            .take(key_count)
            .map(|key| query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale)
            .collect();
        let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for weight in &mut weights {
            *weight = (*weight - largest).exp();
        }
        let sum: f32 = weights.iter().sum();
        for (weight, value) in weights.iter().zip(values.chunks_exact(head_dim)) {
            for (o, v) in out.iter_mut().zip(value) {
                *o += weight / sum * v;
            }
        }
    }
    out
    //-- end
}
