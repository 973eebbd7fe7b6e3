//? recognised: larger score comes later
//? why: Keeps the largest score of the first piece for ever. Any number could be subtracted, so this is right until a later score is larger by 89 or more: then exp is infinite.

pub fn next_piece(
    largest: &mut f32,
    sum: &mut f32,
    mixed: &mut [f32],
    scores: &[f32],
    values: &[f32],
) {
    if scores.is_empty() {
        return;
    }
    if *largest == f32::NEG_INFINITY {
        *largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    }
    let new = *largest;
    let factor = (*largest - new).exp();
    *sum *= factor;
    for mixed in mixed.iter_mut() {
        *mixed *= factor;
    }
    for (score, value) in scores.iter().zip(values.chunks(mixed.len())) {
        let weight = (score - new).exp();
        *sum += weight;
        for (mixed, value) in mixed.iter_mut().zip(value) {
            *mixed += weight * value;
        }
    }
}

pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    mixed.iter().map(|mixed| mixed / sum).collect()
}
