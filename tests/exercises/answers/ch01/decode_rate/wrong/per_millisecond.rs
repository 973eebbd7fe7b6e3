//? recognised: milliseconds
//? why: Loses the factor 1,000: the times are in milliseconds.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let time = steps.iter().sum::<f64>();
    (time > 0.0).then(|| steps.len() as f64 / time)
}
