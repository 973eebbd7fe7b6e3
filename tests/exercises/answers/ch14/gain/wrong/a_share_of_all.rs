//? recognised: after the first wrong one
//? why: Multiplies the length by p. That would be right if guesses after a wrong one counted too.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        let tokens = 1.0 + length as f64 * p;
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
