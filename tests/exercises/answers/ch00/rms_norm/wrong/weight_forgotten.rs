//? recognised: weight is missing
//? why: Moves the sum and loses the weight, which the model learned for every place of a head.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let scale = 1.0 / (squares / weight.len() as f32 + eps).sqrt();
        head.iter_mut().for_each(|x| *x *= scale);
    }
}
