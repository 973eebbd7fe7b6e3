//? recognised: NaN won
//? why: NaN won

pub fn argmax(logits: &[f32]) -> usize {
    let all = logits.iter().enumerate().rev();
    all.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(id, _)| id)
}
