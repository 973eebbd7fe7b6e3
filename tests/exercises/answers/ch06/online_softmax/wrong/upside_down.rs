//? recognised: upside down
//? why: Subtracts the wrong way round. The factor is then above 1, and may be infinite.

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
    let new = scores.iter().copied().fold(*largest, f32::max);
    let factor = (new - *largest).exp();
    *largest = new;
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
