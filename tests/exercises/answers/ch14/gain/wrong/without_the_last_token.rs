//? recognised: a row for the last token
//? why: Takes the cost of as many rows as there are guesses. The last token of the text needs a row too: its logits say whether the first guess is right.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for length in 0..cost.len() {
        let cost = cost[length.saturating_sub(1)];
        tokens += power;
        power *= p;
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
}
