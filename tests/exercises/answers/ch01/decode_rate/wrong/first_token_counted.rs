//? recognised: first token
//? why: first token

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 0.0).then(|| pass_ms.len() as f64 / seconds)
}
