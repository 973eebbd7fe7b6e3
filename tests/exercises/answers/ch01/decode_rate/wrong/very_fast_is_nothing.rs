//? recognised: however short
//? why: Takes less than a millisecond for nothing. A small model on a fast machine is measured all the same.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 1e-3).then(|| steps.len() as f64 / seconds)
}
