//? recognised: on top of
//? why: Rotates to `to` as on the page, although the key is already rotated. It ends up at `from + to`.

pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    let n = key.len();
    let steps = {
        let _ = from;
        to as f64
    };
    for i in 0..n / 2 {
        let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / n as f64);
        let (sin, cos) = (angle.sin() as f32, angle.cos() as f32);
        let (p, q) = (i, i + n / 2);
        let (a, b) = (key[p], key[q]);
        key[p] = a * cos - b * sin;
        key[q] = a * sin + b * cos;
    }
}
