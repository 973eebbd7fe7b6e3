//? recognised: asked are all together
//? why: Returns the speed of one sequence of the batch.

pub fn batch_bound(weights: u64, past: u64, gb: f64, batch: u64) -> (f64, f64) {
    let (w, p, n) = (weights as f64, past as f64, batch as f64);
    let bandwidth = gb * 1e9;
    (bandwidth / (w + n * p), bandwidth / p)
}
