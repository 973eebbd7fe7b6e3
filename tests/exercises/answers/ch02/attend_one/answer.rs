//? title: One query attends to the cache, without a mask; and a sliding window
//? page: ch02/model.md
//? section: One query needs no mask
//? level: core
//? minutes: 30
//? call: check(answer::attend_one)
//? hint 1: The query belongs to the newest token. Is there any row in the cache that it may not see?
//? hint 2: Three steps: a score for every visible row (dot product times 1/sqrt(head_dim)), softmax over the scores, then the sum of the value rows, each times its weight. The window only changes the first visible row.
//? hint 3: `let first = rows.saturating_sub(window);` then the three steps over `first..rows`. Subtract the largest score before `exp`.
//? why: The newest token sees everything before it and itself, and that is all the cache holds. A mask would hide nothing. A
//?   window of w rows is the newest w, the own row among them. For the first tokens `saturating_sub` keeps the beginning at
//?   row 0.

//! One head, one token. Its key and value are already in the cache, as the last rows. Attend:
//!
//! score of a row = (query . key) / sqrt(head_dim), weights = softmax(scores), result = sum of weight * value.
//!
//! `window` says how many rows, counted from the newest, the query may see: `window >= rows` is ordinary
//! attention, a smaller one is the sliding window of models such as Mistral. `window` is at least 1.

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
