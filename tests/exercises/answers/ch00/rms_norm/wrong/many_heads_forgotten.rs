//? recognised: any number of heads
//? why: Norms sixteen heads and leaves the others as they were.

// x: [heads, head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()).take(16) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let mean = squares / weight.len() as f32;
        for i in 0..weight.len() {
            head[i] *= weight[i] / (mean + eps).sqrt();
        }
    }
}
