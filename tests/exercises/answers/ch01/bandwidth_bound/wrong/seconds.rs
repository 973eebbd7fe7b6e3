//? recognised: seconds per token
//? why: Returns the time of a token instead of the speed.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9;
    ((w + n * p) / (n * bandwidth), bandwidth / p)
}
