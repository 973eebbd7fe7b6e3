use exercise_kit::reference::Attention;
use exercise_kit::{Checked, Near, Random, call, call_or, same_numbers};

pub fn check(answer: impl Fn(&[f32], &[f32], &[f32], usize, usize) -> Vec<f32>) -> Checked {
    let mut random = Random::new(3);
    // seq_q, seq_k, q_base; the last has fewer keys than the positions ask for.
    for (seq_q, seq_k, q_base) in [(4, 4, 0), (3, 8, 5), (1, 6, 5), (2, 70, 68), (3, 6, 4)] {
        let head_dim = 4;
        let case = format!(
            "{seq_q} queries from position {q_base}, {seq_k} keys, head_dim {head_dim}"
        );
        let queries: Vec<f32> =
            random.numbers(seq_q * head_dim).iter().map(|x| x * 2.0).collect();
        let keys: Vec<f32> = random.numbers(seq_k * head_dim).iter().map(|x| x * 2.0).collect();
        let values = random.numbers(seq_k * head_dim);
        let right = Attention::of(head_dim);
        let with = |attention: Attention, key_count: &dyn Fn(usize) -> usize| -> Vec<f32> {
            (0..seq_q)
                .flat_map(|t| {
                    let query = &queries[t * head_dim..][..head_dim];
                    attention.row(query, &keys, &values, 0..key_count(t).min(seq_k))
                })
                .collect()
        };
        let run = || answer(&queries, &keys, &values, head_dim, q_base);
        let found = if q_base + seq_q > seq_k {
            call_or(
                &case,
                "the last query sees all keys that there are",
                "more keys were asked for than there are: key_count needs the minimum with seq_k",
                run,
            )?
        } else {
            call(&case, run)?
        };
        same_numbers(
            &case,
            &[("query", seq_q), ("column", head_dim)],
            Near::Within(1e-5),
            &with(right, &|t| q_base + t + 1),
            &found,
            &[
                (
                    "q_base is missing: query t of a chunk stands at position q_base + t, not t",
                    with(right, &|t| t + 1),
                ),
                ("every query sees every key, the future included", with(right, &|_| seq_k)),
                (
                    "a query does not see its own key: the + 1 is missing",
                    with(right, &|t| q_base + t),
                ),
                (
                    "key_count fits only the first query of the chunk: it grows by one with each",
                    with(right, &|_| q_base + 1),
                ),
                (
                    "the scores are not divided by sqrt(head_dim)",
                    with(Attention { scale: 1.0, ..right }, &|t| q_base + t + 1),
                ),
            ],
        )?;
    }
    Ok(())
}
