//? recognised: a row outside the window
//? why: Searches the largest score in all rows. Where it is outside the window and far above, all weights underflow to 0, and 0 / 0 is NaN.

pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    let d = query.len();
    let rows = keys.len() / d;
    let first = rows.saturating_sub(window);
    let scores: Vec<f32> = keys
        .chunks_exact(d)
        .skip(first)
        .map(|k| k.iter().zip(query).map(|(a, b)| a * b).sum::<f32>() / (d as f32).sqrt())
        .collect();
    let largest = keys
        .chunks_exact(d)
        .map(|k| k.iter().zip(query).map(|(a, b)| a * b).sum::<f32>() / (d as f32).sqrt())
        .fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scores.iter().map(|s| (s - largest).exp()).collect();
    let sum: f32 = weights.iter().sum();
    let mut out = vec![0.0; d];
    for (w, v) in weights.iter().zip(values.chunks_exact(d).skip(first)) {
        for (o, v) in out.iter_mut().zip(v) {
            *o += w / sum * v;
        }
    }
    out
}
