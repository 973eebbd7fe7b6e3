//? recognised: one row for each key
//? why: Reads the values as [width, keys]. Each key has its values side by side.

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
    *sum *= factor;
    for mixed in mixed.iter_mut() {
        *mixed *= factor;
    }
    for (key, score) in scores.iter().enumerate() {
        let weight = (score - new).exp();
        *sum += weight;
        for (column, mixed) in mixed.iter_mut().enumerate() {
            *mixed += weight * values[column * scores.len() + key];
        }
    }
}

pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    mixed.iter().map(|mixed| mixed / sum).collect()
}
