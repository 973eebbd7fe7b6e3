//? recognised: add up to 1
//? why: add up to 1

pub fn softmax(scores: &mut [f32]) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in scores {
        *score = (*score - largest).exp();
    }
}
