//? recognised: the right beginning of a guess
//? why: Counts a guess only if all of it is right. What came before the first mistake is kept as well.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let mut power = 1.0;
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        let tokens = 1.0 + length as f64 * power;
        power *= p;
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
