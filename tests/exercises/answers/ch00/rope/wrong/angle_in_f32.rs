//? recognised: too few digits
//? why: Turns back and forth with angles in `f32`. At position 30,000 an angle has only two digits left after the point.

pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    let n = key.len();
    for position in [-(from as f32), to as f32] {
        for i in 0..n / 2 {
            let angle = position * theta.powf(-2.0 * i as f32 / n as f32);
            let (a, b) = (key[i], key[i + n / 2]);
            key[i] = a * angle.cos() - b * angle.sin();
            key[i + n / 2] = a * angle.sin() + b * angle.cos();
        }
    }
}
