//? recognised: get better again
//? why: Stops as soon as a longer guess is worse. The second row of a pass may be dear and the next ones cheap.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        tokens += power;
        power *= p;
        if tokens / cost < most {
            break;
        }
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
