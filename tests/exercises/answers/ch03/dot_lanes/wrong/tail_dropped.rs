//? recognised: tail is missing
//? why: Ignores what is left after the last whole block. With lengths that are multiples of 16 it does not show.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (x, w) in x.chunks_exact(16).zip(w.chunks_exact(16)) {
        for j in 0..16 {
            lanes[j] = x[j].mul_add(w[j], lanes[j]);
        }
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
