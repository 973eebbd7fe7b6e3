//? recognised: however short
//? why: Returns nothing for less than a nanosecond. The time was measured, and it is above 0.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 1e-9).then(|| steps.len() as f64 / seconds)
}
