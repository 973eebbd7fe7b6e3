//? recognised: rounds once, straight to f32
//? why: The product is exact in an f64, and the sum is nearly so. Then it is rounded again, and a sum that seemed to be halfway goes the wrong way.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let n = x.len().next_multiple_of(16);
    for k in 0..n {
        let (a, b) = if k < x.len() { (x[k], w[k]) } else { (0.0, 0.0) };
        lanes[k % 16] = (f64::from(a) * f64::from(b) + f64::from(lanes[k % 16])) as f32;
    }
    let mut width = 8;
    while width > 0 {
        for j in 0..width {
            lanes[j] += lanes[j + width];
        }
        width /= 2;
    }
    lanes[0]
}
