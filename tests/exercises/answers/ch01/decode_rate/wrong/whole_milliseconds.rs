//? recognised: nothing is rounded
//? why: Drops the fractions of the milliseconds. A short run then looks faster than it was.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>().floor() / 1000.0;
    (seconds > 0.0).then(|| steps.len() as f64 / seconds)
}
