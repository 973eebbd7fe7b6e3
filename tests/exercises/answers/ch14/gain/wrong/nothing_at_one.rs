//? recognised: 0 by 0
//? why: Computes the sum with the formula of a geometric series. If every guess is right, it divides 0 by 0, and no comparison with NaN holds.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        let tokens = (1.0 - p.powi(length as i32 + 1)) / (1.0 - p);
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
