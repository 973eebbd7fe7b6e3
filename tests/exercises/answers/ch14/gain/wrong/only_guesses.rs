//? recognised: the token after the guesses
//? why: Counts only the guesses that came true. Each pass brings one token more, and without any guess that is all it brings.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
        power *= p;
        tokens += power;
    }
    best
}
