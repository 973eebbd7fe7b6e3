//? recognised: 2^30
//? why: Takes a GB for 2<sup>30</sup> bytes, and finds 7 % too much.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * (1u64 << 30) as f64;
    (n * bandwidth / (w + n * p), bandwidth / p)
}
