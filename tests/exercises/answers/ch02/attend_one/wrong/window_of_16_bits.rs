//? recognised: may be as large as a usize
//? why: Cuts the window to 16 bits. A window of 65,538 rows becomes one of 2.

pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    let d = query.len();
    let rows = keys.len() / d;
    let first = rows.saturating_sub(window as u16 as usize);
    let scores: Vec<f32> = keys
        .chunks_exact(d)
        .skip(first)
        .map(|k| k.iter().zip(query).map(|(a, b)| a * b).sum::<f32>() / (d as f32).sqrt())
        .collect();
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
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
