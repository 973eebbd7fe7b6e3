//? recognised: ratio of two means
//? why: Adds all times of A and all of B, and divides. One slow run decides the result, and the pairing is lost.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let pairs: Vec<&[f64]> = times.chunks_exact(2).skip(warm_up).collect();
    if pairs.is_empty() {
        return None;
    }
    let a: f64 = pairs.iter().map(|pair| pair[0]).sum();
    let b: f64 = pairs.iter().map(|pair| pair[1]).sum();
    Some(a / b)
}
