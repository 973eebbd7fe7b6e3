//? recognised: tail is missing
//? why: Handles whole blocks of 16 and forgets what is left, since a load of a full register would read past the end.

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
