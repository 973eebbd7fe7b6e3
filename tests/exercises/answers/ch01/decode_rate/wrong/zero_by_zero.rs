//? recognised: was not measured
//? why: Corrects the count and drops the test for zero. Steps that took no measurable time get an infinite speed.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    Some(steps.len() as f64 / (steps.iter().sum::<f64>() / 1000.0))
}
