//? recognised: after the fold
//? why: Adds the elements after the last whole block to the finished sum. They belong in their lanes.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let whole = x.len() / 16 * 16;
    let mut lanes = [0.0f32; 16];
    for k in 0..whole {
        lanes[k % 16] = x[k].mul_add(w[k], lanes[k % 16]);
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    (whole..x.len()).fold(lanes[0], |sum, k| x[k].mul_add(w[k], sum))
}
