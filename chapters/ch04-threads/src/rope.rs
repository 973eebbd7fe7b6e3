use ndarray::ArrayViewMut2;

/// Rotates number i of every head with number i + half, by angles that grow with the position.
/// Row 0 of `x` is at `first_position`. x: [rows, heads * head_dim]
pub fn rope(x: &mut ArrayViewMut2<f32>, head_dim: usize, theta: f32, first_position: usize) {
    let half = head_dim / 2;
    // The angle in f64: at position 2,000 an f32 angle has lost four of its seven digits.
    let frequencies: Vec<f64> = (0..half)
        .map(|i| 1.0 / libm::pow(f64::from(theta), (2 * i) as f64 / head_dim as f64))
        .collect();
    for (row, mut values) in x.rows_mut().into_iter().enumerate() {
        let position = (first_position + row) as f64;
        let values = values.as_slice_mut().expect("a row lies in one piece");
        for (i, frequency) in frequencies.iter().enumerate() {
            let (sin, cos) = libm::sincos(position * frequency);
            let (sin, cos) = (sin as f32, cos as f32);
            for head in values.chunks_exact_mut(head_dim) {
                let (a, b) = (head[i], head[i + half]);
                head[i] = a * cos - b * sin;
                head[i + half] = b * cos + a * sin;
            }
        }
    }
}
