//? title: One query attends to the cache, without a mask; and a sliding window
//? page: ch02/model.md
//? section: One query needs no mask
//? level: core
//? minutes: 30
//? call: check(attend_one)
//? hint 1: The query belongs to the newest token. Is there any row in the cache that it may not see?
//? hint 2: Three steps: a score for every visible row (dot product times 1/sqrt(head_dim)), softmax over the scores, then the sum of the value rows, each times its weight. The window only changes the first visible row.
//? hint 3: `let first = rows.saturating_sub(window);` then the three steps over `first..rows`. Subtract the largest score before `exp`.
//? why: The newest token sees everything before it and itself, and that is all the cache holds. A mask would hide nothing. A
//?   window of w rows is the newest w, the own row among them. For the first tokens `saturating_sub` keeps the beginning at
//?   row 0.

// One head, one token. Its key and value are already in the cache, as the last rows. Attend:
//
// score of a row = (query . key) / sqrt(head_dim), weights = softmax(scores), result = sum of weight * value.
//
// `window` says how many rows, counted from the newest, the query may see: `window >= rows` is ordinary
// attention, a smaller one is the sliding window of models such as Mistral. `window` is at least 1.

// query: [head_dim], keys, values: [rows, head_dim] -> [head_dim]
pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    let head_dim = query.len();
    let rows = keys.len() / head_dim;
    let first = rows.saturating_sub(window);
    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut weights: Vec<f32> = (first..rows)
        .map(|row| {
            let key = &keys[row * head_dim..][..head_dim];
            query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale
        })
        .collect();
    let largest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for weight in &mut weights {
        *weight = (*weight - largest).exp();
    }
    let sum: f32 = weights.iter().sum();
    let mut out = vec![0.0; head_dim];
    for (weight, row) in weights.iter().zip(first..rows) {
        for (o, value) in out.iter_mut().zip(&values[row * head_dim..][..head_dim]) {
            *o += weight / sum * value;
        }
    }
    out
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::reference::Attention;
    use exercise_kit::{Checked, Near, Random, call, call_or, same_numbers};

    pub fn check(answer: fn(&[f32], &[f32], &[f32], usize) -> Vec<f32>) -> Checked {
        let mut random = Random::new(2);
        for (rows, head_dim, window) in [
            (5, 4, 5),
            (7, 8, 3),
            (3, 4, 100),
            (1, 2, 1),
            (6, 2, 1),
            (40, 16, usize::MAX),
            (9, 4, 65_538),
            (9, 4, usize::MAX - 0xffff_fffd),
        ] {
            let case = format!("{rows} rows, head_dim {head_dim}, window {window}");
            let query: Vec<f32> = random.numbers(head_dim).iter().map(|x| x * 2.0).collect();
            let keys: Vec<f32> =
                random.numbers(rows * head_dim).iter().map(|x| x * 2.0).collect();
            let values = random.numbers(rows * head_dim);
            let see = |visible| Attention::of(head_dim).row(&query, &keys, &values, visible);
            let first = rows.saturating_sub(window);
            let wider = rows.saturating_sub(window.saturating_add(1));
            let all_but_own = (rows - 1).saturating_sub(window)..rows - 1;

            let found = if window > rows {
                call_or(
                    &case,
                    "a window wider than the cache sees all rows",
                    "rows - window went below zero: a row before the beginning was asked for",
                    || answer(&query, &keys, &values, window),
                )?
            } else {
                call(&case, || answer(&query, &keys, &values, window))?
            };
            same_numbers(
                &case,
                &[("column", head_dim)],
                Near::Within(1e-5),
                &see(first..rows),
                &found,
                &[
                    ("the query does not see its own row, the last one", see(all_but_own)),
                    (
                        "only row 0 is seen: a mask counted the query as if it were at position 0",
                        see(0..1),
                    ),
                    (
                        "the window holds the oldest rows instead of the newest",
                        see(0..window.min(rows)),
                    ),
                    (
                        "one row too many: the query's own row is part of the window",
                        see(wider..rows),
                    ),
                ],
            )?;
        }
        large(answer)
    }

    /// Scores far from zero: exp overflows, or gives 0 for all of them, unless the largest is subtracted.
    fn large(answer: fn(&[f32], &[f32], &[f32], usize) -> Vec<f32>) -> Checked {
        let subtracted = "exp of a score overflowed, or all of them became 0: the largest is subtracted first";
        let outside = "the largest score is that of a row outside the window: beside it the others are nothing";
        for (query, keys, expected, reason) in [
            (200.0, [-1.0, 1.0, 0.5], 4.0, subtracted),
            (200.0, [-1.0, 0.5, 1.0], 5.0, subtracted),
            (-2e10, [3.0, 1.0, 2.0], 4.0, subtracted),
            (200.0, [2.0, 0.5, 0.25], 4.0, outside),
        ] {
            let scores = keys.map(|key| query * key);
            let case = format!("scores of {scores:?}, window 2");
            let found = call(&case, || answer(&[query], &keys, &[3.0, 4.0, 5.0], 2))?;
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
        // All keys are alike: the mean of the values that are seen.
        let case = "50000 rows, head_dim 1, a query of 0, window 40001";
        let values: Vec<f32> = (0..50_000u16).map(f32::from).collect();
        let found = call(case, || answer(&[0.0], &[1.0; 50_000], &values, 40_001))?;
        same_numbers(case, &[("column", 1)], Near::Within(1e-3), &[29_999.0], &found, &[])
    }
}
