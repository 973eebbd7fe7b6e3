//? recognised: other direction
//? why: other direction

pub fn rope(head: &mut [f32], position: usize, theta: f32) {
    let n = head.len();
    for i in 0..n / 2 {
        let angle = position as f32 * theta.powf(-2.0 * i as f32 / n as f32);
        let (a, b) = (head[i], head[i + n / 2]);
        head[i] = a * angle.cos() + b * angle.sin();
        head[i + n / 2] = b * angle.cos() - a * angle.sin();
    }
}
