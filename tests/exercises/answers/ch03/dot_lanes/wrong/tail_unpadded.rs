//? recognised: left alone
//? why: Leaves out the lanes that the tail does not reach. A lane of -0.0 stays -0.0 there; the padded 0 * 0 makes it 0.0.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (x, w) in x.chunks(16).zip(w.chunks(16)) {
        for (j, (x, w)) in x.iter().zip(w).enumerate() {
            lanes[j] = x.mul_add(*w, lanes[j]);
        }
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
