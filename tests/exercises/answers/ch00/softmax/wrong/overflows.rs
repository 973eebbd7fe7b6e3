//? recognised: exp overflows
//? why: exp overflows

pub fn softmax(scores: &mut [f32]) {
    let sum: f32 = scores.iter().map(|x| x.exp()).sum();
    for score in scores {
        *score = score.exp() / sum;
    }
}
