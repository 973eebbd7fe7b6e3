//? recognised: a pass of 0 ms
//? why: Does not count passes of 0 ms. A clock may show 0 for a short pass, which gave a token all the same.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 0.0).then(|| steps.iter().filter(|ms| **ms > 0.0).count() as f64 / seconds)
}
