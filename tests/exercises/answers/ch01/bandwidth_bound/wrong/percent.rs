//? recognised: in percent
//? why: in percent

pub fn bandwidth_bound(bytes: u64, gb_per_second: f64, seconds: f64) -> (f64, f64) {
    let bound = gb_per_second * 1e9 / bytes as f64;
    (bound, 100.0 / seconds / bound)
}
