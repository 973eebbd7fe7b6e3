//? recognised: divided by the sum
//? why: Divides by the sum of the mixed values, so that these sum to 1. It is the weights that should.

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
    for (score, value) in scores.iter().zip(values.chunks(mixed.len())) {
        let weight = (score - new).exp();
        *sum += weight;
        for (mixed, value) in mixed.iter_mut().zip(value) {
            *mixed += weight * value;
        }
    }
}

pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    let all: f32 = mixed.iter().sum();
    mixed.iter().map(|mixed| mixed / all).collect()
}
