//? recognised: over all heads
//? why: Moves the sum too far out, before the loop over the heads. All heads then share one mean.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    let squares: f32 = x.iter().map(|x| x * x).sum();
    let scale = 1.0 / (squares / x.len() as f32 + eps).sqrt();
    for (i, x) in x.iter_mut().enumerate() {
        *x *= scale * weight[i % weight.len()];
    }
}
