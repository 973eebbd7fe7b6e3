//? recognised: rounds twice
//? why: Writes `a * b + c`. The product is rounded before the sum, which a fused instruction does not do.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for k in 0..x.len() {
        lanes[k % 16] += x[k] * w[k];
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
