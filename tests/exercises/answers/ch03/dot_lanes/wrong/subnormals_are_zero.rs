//? recognised: smallest
//? why: Takes the smallest numbers for zero, as some settings of a CPU do.

// x: [n], w: [n]
pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (x, w) in x.chunks(16).zip(w.chunks(16)) {
        for (j, lane) in lanes.iter_mut().enumerate() {
            let flush = |x: f32| if x.is_subnormal() { 0.0 } else { x };
            let (a, b) = if j < x.len() { (x[j], w[j]) } else { (0.0, 0.0) };
            *lane = flush(a).mul_add(flush(b), *lane);
        }
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
