//? title: Causal attention with shared heads
//? page: ch00/attention.md
//? section: Attention, key by key
//? level: deep
//? minutes: 60
//? call: check(causal_attention)
//? hint 1: Two loops around what you know: over rows (tokens) and over query heads. What does the pair of them decide: which keys may be seen, and which key-value head is read?
//? hint 2: Token t sees the first t + 1 rows: `key_count = t + 1`. Query head h of token t is at `(t * heads + h) * head_dim`, its key-value head g of row r at `(r * kv_heads + g) * head_dim`.
//? hint 3: Per (t, h): `key_count` scores, dot product / sqrt(head_dim); softmax; then out += weight * value row. The page has the formulas; subtract the largest score before `exp`.
//? why: A token never visits the rows that it may not see. That is shorter than a mask and needs no minus infinity. It also
//?   makes the sum for token t the same, whether 5 or 500 tokens follow. Here the loop over the heads is outside, which is
//?   shorter. The chapter has the keys outside, because that is their order in memory.

// `q` is `[rows, heads, head_dim]`, `k` and `v` are `[rows, kv_heads, head_dim]`, all row-major; norm and rotation are done.
// For every token t and query head h: scores against the keys of tokens 0 to t (its own included), each divided by
// sqrt(head_dim), softmax, and the sum of the values with these weights. Neighbouring query heads share a key-value head.
//
// Return `[rows, heads, head_dim]`.

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

//-- check
pub mod check {
    use exercise_kit::reference::Attention;
    use exercise_kit::{Checked, Near, Random, call, same_numbers};

    pub fn check(
        answer: fn(&[f32], &[f32], &[f32], usize, usize, usize) -> Vec<f32>,
    ) -> Checked {
        let mut random = Random::new(14);
        // In each, one thing more can go wrong.
        for (rows, heads, kv_heads, head_dim, likely) in [
            (1, 1, 1, 4, "a token does not see its own row"),
            (3, 1, 1, 1, "every token sees every key, the future included"),
            (3, 1, 1, 4, "the scores are not divided by sqrt(head_dim)"),
            (1, 4, 2, 4, "head h reads key-value head h % kv_heads; here neighbours share one"),
            (
                3,
                2,
                2,
                4,
                "the result is [heads, rows, head_dim]; it should be [rows, heads, head_dim]",
            ),
            (12, 6, 3, 8, ""),
            (300, 2, 1, 2, ""),
        ] {
            let case = format!(
                "{rows} rows, {heads} heads, {kv_heads} key-value heads, head_dim {head_dim}"
            );
            let [q, k, v] = [heads, kv_heads, kv_heads].map(|heads| {
                let numbers = random.numbers(rows * heads * head_dim);
                numbers.iter().map(|x| x * 2.0).collect::<Vec<f32>>()
            });
            // One key-value head as an array of its own. // [rows, head_dim]
            let head_of = |array: &[f32], head: usize| -> Vec<f32> {
                array.chunks(head_dim).skip(head).step_by(kv_heads).flatten().copied().collect()
            };
            let queries = q.chunks(head_dim).enumerate();
            let of_query = |(i, query): (usize, &[f32])| {
                let (t, head) = (i / heads, i % heads / (heads / kv_heads));
                let (keys, values) = (head_of(&k, head), head_of(&v, head));
                Attention::of(head_dim).row(query, &keys, &values, 0..t + 1)
            };
            let expected: Vec<f32> = queries.flat_map(of_query).collect();
            let found = call(&case, || answer(&q, &k, &v, heads, kv_heads, head_dim))?;
            let shape = [("row", rows), ("head", heads), ("column", head_dim)];
            same_numbers(&case, &shape, Near::Within(1e-5), &expected, &found, &[])
                .map_err(|failure| failure.likely(likely))?;
        }
        large(answer)
    }

    /// Scores of any size: exp overflows, or gives 0 for all of them, unless the largest is subtracted.
    fn large(
        answer: impl Fn(&[f32], &[f32], &[f32], usize, usize, usize) -> Vec<f32>,
    ) -> Checked {
        let case = "two rows of one head, head_dim 1, scores of 400 and 200";
        let found = call(case, || answer(&[1.0, 200.0], &[1.0, 2.0], &[3.0, 4.0], 1, 1, 1))?;
        let mistakes = [(
            "exp overflowed: a score of some hundreds is too large for it",
            vec![3.0, f32::NAN],
        )];
        same_numbers(case, &[("row", 2)], Near::Within(1e-5), &[3.0, 4.0], &found, &mistakes)?;
        let case = "two rows of one head, head_dim 1, scores of -2e10 and -1e10";
        let found = call(case, || answer(&[-2e10; 2], &[1.0, 0.5], &[3.0, 4.0], 1, 1, 1))?;
        let hidden = "a hidden key has a score all the same, and a large one beside these: only minus infinity is below all";
        let mistakes = [(hidden, vec![0.0, 4.0]), (hidden, vec![4.0, 4.0])];
        same_numbers(case, &[("row", 2)], Near::Within(1e-5), &[3.0, 4.0], &found, &mistakes)?;

        // All keys are alike, so that a token gets the mean of what it sees.
        let case = "1000 rows of one head, head_dim 1, queries of 0";
        let values: Vec<f32> = (0..1000u16).map(f32::from).collect();
        let found = call(case, || answer(&[0.0; 1000], &[1.0; 1000], &values, 1, 1, 1))?;
        let means: Vec<f32> = values.iter().map(|value| value / 2.0).collect();
        same_numbers(case, &[("row", 1000)], Near::Within(1e-4), &means, &found, &[])
    }
}
