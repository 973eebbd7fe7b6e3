//? recognised: smallest
//? why: Takes the smallest numbers for zero, as some settings of a CPU do.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let flush = |x: &f32| if x.is_subnormal() { 0.0 } else { *x };
    let mut lanes = [0.0f32; 16];
    for k in 0..x.len().next_multiple_of(16) {
        let (a, b) = (x.get(k).map_or(0.0, flush), w.get(k).map_or(0.0, flush));
        lanes[k % 16] = a.mul_add(b, lanes[k % 16]);
    }
    for width in [8, 4, 2, 1] {
        for j in 0..width {
            lanes[j] += lanes[j + width];
        }
    }
    lanes[0]
}
