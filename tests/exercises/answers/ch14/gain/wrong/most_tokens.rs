//? recognised: in the same time
//? why: Looks for the most tokens, whatever they cost. That is always the longest guess.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        tokens += power;
        power *= p;
        if tokens > most {
            (best, most) = (length, tokens);
        }
    }
    best
}
