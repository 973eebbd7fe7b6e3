//? recognised: 16 bits
//? why: Computes the distance with 16 bits. A position of 40,000 becomes a negative number.

// key: [head_dim], head_dim even
pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    let steps = f64::from(to as i16 - from as i16);
    let half = key.len() / 2;
    for i in 0..half {
        let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / key.len() as f64);
        let (sin, cos) = (angle.sin() as f32, angle.cos() as f32);
        let (a, b) = (key[i], key[i + half]);
        key[i] = a * cos - b * sin;
        key[i + half] = a * sin + b * cos;
    }
}
