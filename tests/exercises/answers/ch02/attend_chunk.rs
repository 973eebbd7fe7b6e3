//? title: Attention for a chunk, with a fault
//? page: ch02/model.md
//? section: Queries and keys of different lengths
//? level: core
//? minutes: 20
//? call: check(attend_chunk)
//? hint 1: Which query of a chunk is right, and which is the first wrong one? Why does the fault never show when tokens come one at a time?
//? hint 2: Follow `weights` from the first query to the second. How many numbers are in it when the second one looks for its largest score?
//? hint 3: The buffer outlives the loop, and `extend` appends. It has to be emptied at the beginning of each turn: `weights.clear();`.
//? why: The buffer was moved out of the loop to save an allocation for each query. After that the scores of one query came
//?   before those of the next. The first query of a chunk finds the buffer empty, so decoding one token at a time is right
//?   to the bit. A prompt is wrong from its second token on. `clear` empties the buffer and keeps its memory, which was the
//?   reason for moving it.

// One head. The cache holds `seq_k` keys and values, the chunk's own among them. The chunk's queries are the tokens at
// positions `q_base`, `q_base + 1`, ... Each query may see the keys of its own position and of all before: the first
// `min(q_base + t + 1, seq_k)` rows for query `t`. Keys of later positions may be there already; they are the future.
//
// This function should return softmax((query . key) / sqrt(head_dim)) over the visible rows, times the values, for each
// query. Somebody has made it faster, by allocating the weights once. Since then it has one fault. Decoding, one token at
// a time, is right; a long prompt is not. Find it with the help of the test, and mend it. The weights need
// not be allocated in the loop again; the test sees only results, and so it is on you to keep that.

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

//-- check
pub mod check {
    use exercise_kit::reference::Attention;
    use exercise_kit::{Checked, GIVEN, Near, Random, call, same_numbers};

    pub fn check(answer: fn(&[f32], &[f32], &[f32], usize, usize) -> Vec<f32>) -> Checked {
        let mut random = Random::new(3);
        // In each, one thing more can go wrong. The last but two has fewer keys than the positions ask for.
        for (seq_q, seq_k, q_base, head_dim, likely) in [
            (
                1,
                4,
                3,
                4,
                "q_base is missing: query t of a chunk is at position q_base + t, not t",
            ),
            (
                1,
                8,
                3,
                4,
                "one query sees the whole cache; its position is q_base, and the rest is the future",
            ),
            (
                2,
                2,
                0,
                4,
                "the buffer is cut at the end: what is kept are scores of the query before",
            ),
            (3, 6, 4, 4, "more keys were asked for than there are"),
            (3, 8, 5, 4, ""),
            (300, 370, 68, 8, ""),
        ] {
            let case = format!(
                "{seq_q} queries from position {q_base}, {seq_k} keys, head_dim {head_dim}"
            );
            let [queries, keys, values] =
                [(seq_q, 2.0), (seq_k, 2.0), (seq_k, 1.0)].map(|(rows, size)| -> Vec<f32> {
                    random.numbers(rows * head_dim).iter().map(|x| x * size).collect()
                });
            let rows = queries.chunks(head_dim).enumerate();
            let of_query = |(t, query): (usize, &[f32])| {
                let visible = 0..(q_base + t + 1).min(seq_k);
                Attention::of(head_dim).row(query, &keys, &values, visible)
            };
            let expected: Vec<f32> = rows.flat_map(of_query).collect();
            let found = call(&case, || answer(&queries, &keys, &values, head_dim, q_base))
                .map_err(|failure| failure.likely(likely))?;
            let likely = match found.get(head_dim..2 * head_dim) {
                _ if found.iter().all(|x| *x == 0.0) => {
                    "emptied after the scores were written: nothing is left to weigh with"
                }
                Some(second) if seq_k == 2 && second == &values[..head_dim] => {
                    "key_count fits only the first query of the chunk: it grows by one with each"
                }
                _ => likely,
            };
            let given = as_given(&queries, &keys, &values, head_dim, q_base);
            let (shape, near) = ([("query", seq_q), ("column", head_dim)], Near::Within(1e-5));
            same_numbers(&case, &shape, near, &expected, &found, &[(GIVEN, given)]).map_err(
                |failure| if failure.given { failure } else { failure.likely(likely) },
            )?;
        }
        large(answer)
    }

    /// Scores far from zero: exp overflows, or gives 0 for all of them, unless the largest is subtracted.
    fn large(answer: fn(&[f32], &[f32], &[f32], usize, usize) -> Vec<f32>) -> Checked {
        let reason = "exp of a score overflowed, or all of them became 0: the largest is subtracted first";
        for (query, keys, expected) in
            [(200.0, [1.0, 0.5], 3.0), (200.0, [0.5, 1.0], 4.0), (-2e10, [1.0, 2.0], 3.0)]
        {
            let scores = keys.map(|key| query * key);
            let case = format!("1 query, 2 keys, head_dim 1, scores of {scores:?}");
            let found = call(&case, || answer(&[query], &keys, &[3.0, 4.0], 1, 1))?;
            let mistakes = [(reason, vec![f32::NAN])];
            same_numbers(
                &case,
                &[("column", 1)],
                Near::Within(1e-5),
                &[expected],
                &found,
                &mistakes,
            )?;
        }
        Ok(())
    }

    /// The function as it is given: its buffer is never emptied.
    fn as_given(
        queries: &[f32],
        keys: &[f32],
        values: &[f32],
        head_dim: usize,
        q_base: usize,
    ) -> Vec<f32> {
        let seq_k = keys.len() / head_dim;
        let scale = 1.0 / (head_dim as f32).sqrt();
        let mut out = vec![0.0; queries.len()];
        let mut weights: Vec<f32> = Vec::new();
        let rows = queries.chunks_exact(head_dim).zip(out.chunks_exact_mut(head_dim));
        for (t, (query, out)) in rows.enumerate() {
            let key_count = (q_base + t + 1).min(seq_k);
            for key in keys.chunks_exact(head_dim).take(key_count) {
                weights.push(query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale);
            }
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
}
