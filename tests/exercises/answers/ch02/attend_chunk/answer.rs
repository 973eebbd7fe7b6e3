//? title: Attention for a chunk, with a fault
//? page: ch02/model.md
//? section: Queries and keys of different lengths
//? level: core
//? minutes: 20
//? call: check(answer::attend_chunk)
//? hint 1: Which query of a chunk is right, and which is the first wrong one? Why does the fault never show when tokens come one at a time?
//? hint 2: Follow `weights` from the first query to the second. How many numbers are in it when the second one looks for its largest score?
//? hint 3: The buffer outlives the loop, and `extend` appends. It has to be emptied at the beginning of each turn: `weights.clear();`.
//? why: The buffer was moved out of the loop to save an allocation for each query. After that the scores of one query came
//?   before those of the next. The first query of a chunk finds the buffer empty, so decoding one token at a time is right
//?   to the bit. A prompt is wrong from its second token on. `clear` empties the buffer and keeps its memory, which was the
//?   reason for moving it.

//! One head. The cache holds `seq_k` keys and values, the chunk's own among them. The chunk's queries are the tokens at
//! positions `q_base`, `q_base + 1`, ... Each query may see the keys of its own position and of all before: the first
//! `min(q_base + t + 1, seq_k)` rows for query `t`. Keys of later positions may be there already; they are the future.
//!
//! This function should return softmax((query . key) / sqrt(head_dim)) over the visible rows, times the values, for each
//! query. Somebody has made it faster, by allocating the weights once. Since then it has one fault. Decoding, one token at
//! a time, is right; a long prompt is not. Find it with the help of the test, and mend it. The weights need
//! not be allocated in the loop again; the test sees only results, and so it is on you to keep that.

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
        //-- solution
        weights.clear();
        //-- end
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
