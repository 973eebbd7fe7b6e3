//? recognised: the tolerance is too wide
//? why: Allows one part in a hundred. That refuses another curve, and accepts a gate whose exp is a cheap approximation.

pub type Swiglu<'a> = &'a dyn Fn(&[f32], &[f32]) -> Vec<f32>;
pub fn gate_test(swiglu: Swiglu) -> Result<(), String> {
    for n in [0usize, 1, 2, 7, 8, 9, 16, 17, 33, 100, 3072] {
        let gate: Vec<f32> = (0..n)
            .map(|i| match i % 11 {
                0 => 100.0,
                1 => -100.0,
                2 => 0.0,
                3 => 20.0,
                4 => -20.0,
                5 => 1.0,
                6 => -1.0,
                7 => -87.0,
                8 => 500.0,
                9 => -500.0,
                _ => (i as f32 * 0.37).sin() * 6.0,
            })
            .collect();
        let up: Vec<f32> = (0..n).map(|i| (i as f32 * 0.77 + 1.0).cos() * 3.0).collect();
        let found = swiglu(&gate, &up);
        if found.len() != n {
            return Err(format!("length {}", found.len()));
        }
        for i in 0..n {
            let g = f64::from(gate[i]);
            let e = g / (1.0 + (-g).exp()) * f64::from(up[i]);
            let f = f64::from(found[i]);
            if !((f - e).abs() <= 1e-2 * e.abs() + 1e-2) {
                return Err(format!("{} for {e}", found[i]));
            }
        }
    }
    Ok(())
}
