//? recognised: fold adds neighbours
//? why: Has the right lanes, and then adds neighbours instead of folding.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = vec![0.0f32; 16];
    for k in 0..x.len() {
        lanes[k % 16] = x[k].mul_add(w[k], lanes[k % 16]);
    }
    while lanes.len() > 1 {
        lanes = lanes.chunks(2).map(|pair| pair[0] + pair[1]).collect();
    }
    lanes[0]
}
