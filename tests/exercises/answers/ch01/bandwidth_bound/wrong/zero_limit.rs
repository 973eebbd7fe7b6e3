//? recognised: infinity, neither 0
//? why: Treats an empty past as a special case with the limit 0. With no past, memory sets no limit.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9;
    (n * bandwidth / (w + n * p), if past == 0 { 0.0 } else { bandwidth / p })
}
