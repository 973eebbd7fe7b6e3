//? recognised: the sum of the squares
//? why: Moves the sum and loses the division: the sum of the squares is not their mean.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let scale = 1.0 / (squares + eps).sqrt();
        for (x, w) in head.iter_mut().zip(weight) {
            *x *= scale * w;
        }
    }
}
