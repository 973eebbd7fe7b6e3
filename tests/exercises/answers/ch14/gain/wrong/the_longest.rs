//? recognised: the shortest is wanted
//? why: Takes the longest of those that are equally good. Its further rows bring nothing, and another client could have had them.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        tokens += power;
        power *= p;
        if tokens / cost >= most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
