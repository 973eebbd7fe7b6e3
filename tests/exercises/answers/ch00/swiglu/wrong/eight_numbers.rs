//? recognised: multiple of 8
//? why: Tries 8 numbers. A gate that takes 8 numbers at a time and forgets the rest gets all of them right.

pub fn gate_test(swiglu: &dyn Fn(&[f32], &[f32]) -> Vec<f32>) -> Result<(), String> {
    let gate: Vec<f32> = [0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 200.0, -200.0].to_vec();
    let up: Vec<f32> = [-2.0, 0.25, -1.5, 2.0, 0.5, -4.0, -1.0, 2.0].to_vec();
    let found = swiglu(&gate, &up);
    for i in 0..gate.len() {
        let right = gate[i] / (1.0 + (-gate[i]).exp()) * up[i];
        if !((found[i] - right).abs() <= 1e-4 * right.abs().max(1.0)) {
            return Err(format!(
                "gate {}, up {}: expected {right}, found {}",
                gate[i], up[i], found[i]
            ));
        }
    }
    Ok(())
}
