//? recognised: too long
//? why: Looks whether the result is too short. A result that is too long passes.

/// From gate and up to the result.
pub type Swiglu<'a> = &'a dyn Fn(&[f32], &[f32]) -> Vec<f32>;

pub fn gate_test(swiglu: Swiglu) -> Result<(), String> {
    let gate = [0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 9.0, 200.0, -200.0, -2.0];
    let up = [3.0, -2.0, 0.25, -1.5, 2.0, 0.5, -4.0, 1.0, -1.0, 2.0, 5.0];
    let found = swiglu(&gate, &up);
    if found.len() < gate.len() {
        return Err(format!("{} numbers, not {}", found.len(), gate.len()));
    }
    for i in 0..gate.len() {
        let (g, u) = (f64::from(gate[i]), f64::from(up[i]));
        let right = g / (1.0 + (-g).exp()) * u;
        let near = (f64::from(found[i]) - right).abs() <= 1e-4 * right.abs().max(1.0);
        if !near {
            return Err(format!("gate {g}, up {u}: expected {right}, found {}", found[i]));
        }
    }
    Ok(())
}
