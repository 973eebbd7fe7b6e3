//? recognised: there is a limit
//? why: Says that a batch can be as fast as it likes. Each sequence brings its own past.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9;
    (n * bandwidth / (w + n * p), f64::INFINITY)
}
