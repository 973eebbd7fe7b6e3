//? recognised: 1 + weight
//? why: Multiplies by 1 + weight. Gemma stores its weights that way, Qwen3 does not.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let scale = 1.0 / (squares / weight.len() as f32 + eps).sqrt();
        head.iter_mut().zip(weight).for_each(|(x, w)| *x *= scale * (1.0 + w));
    }
}
