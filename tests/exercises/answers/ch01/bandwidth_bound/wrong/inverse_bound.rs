//? recognised: seconds per token, not tokens per second
//? why: seconds per token, not tokens per second

pub fn bandwidth_bound(bytes: u64, gb_per_second: f64, seconds: f64) -> (f64, f64) {
    let bound = bytes as f64 / (gb_per_second * 1e9);
    (bound, bound / seconds)
}
