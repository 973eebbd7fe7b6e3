//? recognised: 2^30
//? why: 2^30

pub fn bandwidth_bound(bytes: u64, gb_per_second: f64, seconds: f64) -> (f64, f64) {
    let bound = gb_per_second * (1u64 << 30) as f64 / bytes as f64;
    (bound, 1.0 / seconds / bound)
}
