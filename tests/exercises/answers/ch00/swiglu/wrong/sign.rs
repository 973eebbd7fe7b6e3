//? recognised: exp(-x)
//? why: exp(-x)

pub fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    gate.iter().zip(up).map(|(g, u)| g / (1.0 + g.exp()) * u).collect()
}
