//? recognised: exp overflows
//? why: Takes exp of the scores as they are. From 89 on that is more than an `f32` can hold.

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
    let new = 0.0;
    let factor = 1.0;
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
