//? recognised: mean of the rates
//? why: Takes the mean of the single speeds. A fast step then counts for more than a slow one that gave the same single token.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let rates: f64 = steps.iter().map(|ms| 1000.0 / ms).sum();
    let rate = rates / steps.len() as f64;
    rate.is_finite().then_some(rate)
}
