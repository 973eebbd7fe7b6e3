//? recognised: share is upside down
//? why: share is upside down

pub fn bandwidth_bound(bytes: u64, gb_per_second: f64, seconds: f64) -> (f64, f64) {
    let bound = gb_per_second * 1e9 / bytes as f64;
    (bound, bound * seconds)
}
