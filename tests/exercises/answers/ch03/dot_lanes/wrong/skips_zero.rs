//? recognised: infinity times 0
//? why: Leaves out products with a weight of 0, to save work. Infinity times 0 is NaN, and a NaN must show.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for k in 0..x.len() {
        if w[k] != 0.0 {
            lanes[k % 16] = x[k].mul_add(w[k], lanes[k % 16]);
        }
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
