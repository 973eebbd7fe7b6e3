//? recognised: share of the weights
//? why: Takes the bound of one sequence as the limit. A batch passes it easily.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9;
    (n * bandwidth / (w + n * p), bandwidth / (w + p))
}
