//? recognised: divided by the largest
//? why: divided by the largest

pub fn softmax(scores: &mut [f32]) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|x| (x / largest).exp()).sum();
    for score in scores {
        *score = (*score / largest).exp() / sum;
    }
}
