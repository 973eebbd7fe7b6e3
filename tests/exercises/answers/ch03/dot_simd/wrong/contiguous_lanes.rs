//? recognised: neighbouring elements
//? why: Gives each lane its own piece of the row. No load instruction does that, so this one cannot even be fast.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let each = x.len().div_ceil(16).max(1);
    let mut lanes = [0.0f32; 16];
    for k in 0..x.len() {
        lanes[k / each] = x[k].mul_add(w[k], lanes[k / each]);
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
