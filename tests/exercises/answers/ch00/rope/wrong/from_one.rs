//? recognised: counted from 1
//? why: counted from 1

pub fn rope(head: &mut [f32], position: usize, theta: f32) {
    let n = head.len();
    for i in 0..n / 2 {
        let angle = (position + 1) as f32 * theta.powf(-2.0 * i as f32 / n as f32);
        let (a, b) = (head[i], head[i + n / 2]);
        head[i] = a * angle.cos() - b * angle.sin();
        head[i + n / 2] = a * angle.sin() + b * angle.cos();
    }
}
