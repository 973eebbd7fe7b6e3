//? recognised: seven digits
//? why: Adds the times up in f32. That is seven digits, and the times are given with sixteen.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = f64::from(steps.iter().map(|ms| *ms as f32).sum::<f32>()) / 1000.0;
    (seconds > 0.0).then(|| steps.len() as f64 / seconds)
}
