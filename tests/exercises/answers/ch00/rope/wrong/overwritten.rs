//? recognised: already been changed
//? why: already been changed

pub fn rope(head: &mut [f32], position: usize, theta: f32) {
    let n = head.len();
    for i in 0..n / 2 {
        let angle = position as f32 * theta.powf(-2.0 * i as f32 / n as f32);
        head[i] = head[i] * angle.cos() - head[i + n / 2] * angle.sin();
        head[i + n / 2] = head[i] * angle.sin() + head[i + n / 2] * angle.cos();
    }
}
