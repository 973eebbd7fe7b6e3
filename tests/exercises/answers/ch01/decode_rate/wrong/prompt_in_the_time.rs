//? recognised: pass is in the time
//? why: Counts the steps and adds up all passes, so the prompt slows decode down.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = pass_ms.iter().sum::<f64>() / 1000.0;
    (!steps.is_empty() && seconds > 0.0).then(|| steps.len() as f64 / seconds)
}
