//? recognised: after the fold
//? why: Adds the tail in a loop after the fold. It belongs in the lanes, padded with zeros.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let (x_blocks, x_tail) = x.as_chunks::<16>();
    let (w_blocks, w_tail) = w.as_chunks::<16>();
    let mut lanes = [0.0f32; 16];
    for (x, w) in x_blocks.iter().zip(w_blocks) {
        for j in 0..16 {
            lanes[j] = x[j].mul_add(w[j], lanes[j]);
        }
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    x_tail.iter().zip(w_tail).fold(lanes[0], |sum, (&a, &b)| a.mul_add(b, sum))
}
