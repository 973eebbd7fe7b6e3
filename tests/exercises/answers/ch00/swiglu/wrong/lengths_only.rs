//? recognised: not compared
//? why: Looks at the length of the result and at nothing in it.

pub fn gate_test(swiglu: &dyn Fn(&[f32], &[f32]) -> Vec<f32>) -> Result<(), String> {
    let gate: Vec<f32> =
        [0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 9.0, 200.0, -200.0, -2.0].to_vec();
    let up: Vec<f32> = [3.0, -2.0, 0.25, -1.5, 2.0, 0.5, -4.0, 1.0, -1.0, 2.0, 5.0].to_vec();
    let found = swiglu(&gate, &up);
    for i in 0..gate.len() {
        let right = gate[i] / (1.0 + (-gate[i]).exp()) * up[i];
        if found.len() != gate.len() || right.is_nan() {
            return Err(format!(
                "gate {}, up {}: expected {right}, found {}",
                gate[i], up[i], found[i]
            ));
        }
    }
    Ok(())
}
