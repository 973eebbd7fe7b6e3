//? recognised: when it is larger
//? why: Takes over the new largest score when it is smaller than the one before. The comparison is the wrong way round.

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
    let of_piece = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let smaller = *largest == f32::NEG_INFINITY || of_piece < *largest;
    let new = if smaller { of_piece } else { *largest };
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
    mixed.iter().map(|mixed| mixed / sum).collect()
}
