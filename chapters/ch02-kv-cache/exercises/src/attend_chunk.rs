//! Attention for a chunk, with a fault
//!
//! One head. The cache holds `seq_k` keys and values, the chunk's own among them. The chunk's queries are the tokens at
//! positions `q_base`, `q_base + 1`, ... Each query may see the keys of its own position and of all before: the first
//! `min(q_base + t + 1, seq_k)` rows for query `t`. Keys of later positions may be there already; they are the future.
//!
//! This function should return softmax((query . key) / sqrt(head_dim)) over the visible rows, times the values, for each
//! query. Somebody has made it faster, by allocating the weights once. Since then it has one fault. Decoding, one token at
//! a time, is right; a long prompt is not. Find it with the help of the test, and mend it. The weights need
//! not be allocated in the loop again; the test sees only results, and so it is on you to keep that.
//!
//! Level: core, about 20 minutes.
//! Read: "Queries and keys of different lengths", in the book at ch02/model.html.
//! Run: `cargo run -- watch attend_chunk`, or once: `cargo test -p ch02-exercises attend_chunk`.
//! Stuck: `cargo run -- hint attend_chunk`. Done: `cargo run -- solution attend_chunk`. Start over: `cargo run -- reset attend_chunk`.

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
            for (o, v) in out.iter_mut().zip(value) {
                *o += weight / sum * v;
            }
        }
    }
    out
}

// The test. It stays here.
exercise_kit::exercise!(check(attend_chunk) in "../../../../tests/exercises/answers/ch02/attend_chunk.rs");
