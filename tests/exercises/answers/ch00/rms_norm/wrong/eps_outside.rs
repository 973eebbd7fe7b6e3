//? recognised: inside the root
//? why: Computes the mean in the right place, and adds ε outside the root on the way.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let scale = 1.0 / ((squares / weight.len() as f32).sqrt() + eps);
        for (x, w) in head.iter_mut().zip(weight) {
            *x *= scale * w;
        }
    }
}
