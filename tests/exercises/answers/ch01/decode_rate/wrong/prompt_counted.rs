//? recognised: the prompt's pass
//? why: Makes count and time agree by adding the prompt to both. A long prompt then makes decode look slow.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let seconds = pass_ms.iter().sum::<f64>() / 1000.0;
    (pass_ms.len() > 1 && seconds > 0.0).then(|| pass_ms.len() as f64 / seconds)
}
