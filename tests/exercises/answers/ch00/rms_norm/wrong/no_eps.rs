//? recognised: eps, the argument, is missing
//? why: Loses ε. The tests of a running model would not show it until a head is all zeros: then it is 0 / 0.

pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], _eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let root = (squares / weight.len() as f32).sqrt();
        head.iter_mut().zip(weight).for_each(|(x, w)| *x = *x / root * w);
    }
}
