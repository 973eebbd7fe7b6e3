//? recognised: the number of rows
//? why: Returns the number of rows. The guess has one token fewer.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        tokens += power;
        power *= p;
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best + 1
}
