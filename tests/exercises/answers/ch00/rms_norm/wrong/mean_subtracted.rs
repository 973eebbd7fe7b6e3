//? recognised: LayerNorm
//? why: Rewrites the function as LayerNorm, which subtracts the mean first. RMSNorm does not.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    let n = weight.len() as f32;
    for head in x.chunks_exact_mut(weight.len()) {
        let mean = head.iter().sum::<f32>() / n;
        let variance = head.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
        for (x, w) in head.iter_mut().zip(weight) {
            *x = (*x - mean) / (variance + eps).sqrt() * w;
        }
    }
}
