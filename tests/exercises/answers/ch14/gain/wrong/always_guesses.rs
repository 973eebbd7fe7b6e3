//? recognised: 0 is allowed
//? why: Begins with a guess of one token. Where guesses are mostly wrong, the best one is none.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        tokens += power;
        power *= p;
        if length > 0 && tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
