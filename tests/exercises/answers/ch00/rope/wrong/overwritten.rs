//? recognised: already been changed
//? why: Writes the first number of the pair before it reads it for the second.

pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    let n = key.len();
    let steps = to as f64 - from as f64;
    for i in 0..n / 2 {
        let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / n as f64);
        let (sin, cos) = (angle.sin() as f32, angle.cos() as f32);
        let (p, q) = (i, i + n / 2);
        key[p] = key[p] * cos - key[q] * sin;
        key[q] = key[p] * sin + key[q] * cos;
    }
}
