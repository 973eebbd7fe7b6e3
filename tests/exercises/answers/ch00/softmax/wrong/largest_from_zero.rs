//? recognised: begins at 0
//? why: begins at 0

pub fn softmax(scores: &mut [f32]) {
    let mut largest = 0.0;
    for &score in scores.iter() {
        if score > largest {
            largest = score;
        }
    }
    let sum: f32 = scores.iter().map(|x| (x - largest).exp()).sum();
    for score in scores {
        *score = (*score - largest).exp() / sum;
    }
}
