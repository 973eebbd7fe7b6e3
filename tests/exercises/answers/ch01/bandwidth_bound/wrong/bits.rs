//? recognised: not in bits
//? why: Divides the bandwidth by 8. Network speeds are in bits; memory is in bytes.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9 / 8.0;
    (n * bandwidth / (w + n * p), bandwidth / p)
}
