//? recognised: not for each sequence
//? why: Reads the weights again for every sequence. Then a batch gains nothing, and no server would use one.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9;
    (n * bandwidth / (n * (w + p)), bandwidth / p)
}
