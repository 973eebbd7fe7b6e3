//? recognised: nothing is rounded
//? why: Rounds the speed to whole tokens. Two settings that differ by half a token look the same.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 0.0).then(|| (steps.len() as f64 / seconds).round())
}
