//? recognised: does not fit into its type
//? why: Adds up the bytes in u64 and converts the sum. A large batch with long pasts passes its end.

pub fn batch_bound(
    weight_bytes: u64,
    past_bytes: u64,
    gb_per_second: f64,
    batch: u64,
) -> (f64, f64) {
    let bandwidth = gb_per_second * 1e9;
    let bytes = (weight_bytes + batch * past_bytes) as f64;
    (batch as f64 * bandwidth / bytes, bandwidth / past_bytes as f64)
}
