//? recognised: neighbours are paired
//? why: neighbours are paired

pub fn rope(head: &mut [f32], position: usize, theta: f32) {
    let n = head.len();
    for i in 0..n / 2 {
        let angle = position as f32 * theta.powf(-2.0 * i as f32 / n as f32);
        let (a, b) = (head[2 * i], head[2 * i + 1]);
        head[2 * i] = a * angle.cos() - b * angle.sin();
        head[2 * i + 1] = a * angle.sin() + b * angle.cos();
    }
}
