//? recognised: minus infinity
//? why: minus infinity

pub fn softmax(scores: &mut [f32]) {
    // Clamped, "so that exp cannot overflow".
    for score in scores.iter_mut() {
        *score = score.clamp(-80.0, 80.0);
    }
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|x| (x - largest).exp()).sum();
    for score in scores {
        *score = (*score - largest).exp() / sum;
    }
}
