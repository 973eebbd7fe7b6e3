//? recognised: already relative
//? why: Adds the piece and then multiplies by the factor. The weights of the piece are already relative to the new score; here they are made smaller a second time.

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
    let factor = (*largest - new).exp();
    *largest = new;
    for (score, value) in scores.iter().zip(values.chunks(mixed.len())) {
        let weight = (score - new).exp();
        *sum += weight;
        for (mixed, value) in mixed.iter_mut().zip(value) {
            *mixed += weight * value;
        }
    }
    *sum *= factor;
    for mixed in mixed.iter_mut() {
        *mixed *= factor;
    }
}

pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    mixed.iter().map(|mixed| mixed / sum).collect()
}
