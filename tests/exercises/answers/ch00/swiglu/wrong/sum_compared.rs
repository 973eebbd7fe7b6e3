//? recognised: one by one
//? why: Compares the sum of the results. Numbers that have changed places have the same sum.

pub type Swiglu<'a> = &'a dyn Fn(&[f32], &[f32]) -> Vec<f32>;

pub fn gate_test(swiglu: Swiglu) -> Result<(), String> {
    let gate = [0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 9.0, 200.0, -200.0, -2.0];
    let up = [3.0, -2.0, 0.25, -1.5, 2.0, 0.5, -4.0, 1.0, -1.0, 2.0, 5.0];
    let found = swiglu(&gate, &up);
    let right = |(g, u): (&f32, &f32)| {
        let g = f64::from(*g);
        g / (1.0 + (-g).exp()) * f64::from(*u)
    };
    let expected: f64 = gate.iter().zip(&up).map(right).sum();
    let sum: f64 = found.iter().map(|x| f64::from(*x)).sum();
    let near = found.len() == gate.len() && (sum - expected).abs() <= 1e-4;
    if near { Ok(()) } else { Err(format!("{found:?}")) }
}
