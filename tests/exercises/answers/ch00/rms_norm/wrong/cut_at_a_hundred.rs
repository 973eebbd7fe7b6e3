//? recognised: large numbers
//? why: Cuts numbers off at 100. Hidden states have some that are far larger.

// x: [heads, head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        head.iter_mut().for_each(|x| *x = x.clamp(-100.0, 100.0));
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let mean = squares / weight.len() as f32;
        for i in 0..weight.len() {
            head[i] *= weight[i] / (mean + eps).sqrt();
        }
    }
}
