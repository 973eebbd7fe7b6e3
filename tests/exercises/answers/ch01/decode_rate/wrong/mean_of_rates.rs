//? recognised: mean of the rates
//? why: mean of the rates

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let rates: f64 = steps.iter().map(|ms| 1000.0 / ms).sum();
    let rate = rates / steps.len() as f64;
    rate.is_finite().then_some(rate)
}
