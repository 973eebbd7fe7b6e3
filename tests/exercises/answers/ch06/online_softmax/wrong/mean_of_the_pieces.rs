//? recognised: softmax of its own
//? why: Computes the result of each piece and adds these up, divided by the number of pieces. A piece with small scores then counts as much as one with large scores.

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
    let new = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let of_piece: f32 = scores.iter().map(|score| (score - new).exp()).sum();
    *sum += 1.0;
    for (score, value) in scores.iter().zip(values.chunks(mixed.len())) {
        let weight = (score - new).exp() / of_piece;
        for (mixed, value) in mixed.iter_mut().zip(value) {
            *mixed += weight * value;
        }
    }
}

pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    mixed.iter().map(|mixed| mixed / sum).collect()
}
