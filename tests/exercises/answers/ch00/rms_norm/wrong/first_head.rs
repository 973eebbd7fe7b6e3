//? recognised: the first head
//? why: Computes the mean once, of the first head, and uses it for all of them.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    let n = weight.len();
    let squares: f32 = x[..n].iter().map(|x| x * x).sum();
    let scale = 1.0 / (squares / n as f32 + eps).sqrt();
    for head in x.chunks_exact_mut(n) {
        head.iter_mut().zip(weight).for_each(|(x, w)| *x *= scale * w);
    }
}
