//? recognised: infinity / infinity
//? why: infinity / infinity

pub fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    gate.iter().zip(up).map(|(g, u)| g * (g.exp() / (1.0 + g.exp())) * u).collect()
}
