//? recognised: the first of equal
//? why: the first of equal

pub fn argmax(logits: &[f32]) -> usize {
    let all = logits.iter().enumerate().filter(|(_, x)| !x.is_nan());
    all.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(id, _)| id)
}
