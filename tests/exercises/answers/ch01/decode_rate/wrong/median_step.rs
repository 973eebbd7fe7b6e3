//? recognised: the median step
//? why: Takes the median step. That is a fair number, but a different one: it forgets the slow steps.

pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let mut sorted = steps.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = *sorted.get(sorted.len() / 2)?;
    (middle > 0.0).then(|| 1000.0 / middle)
}
