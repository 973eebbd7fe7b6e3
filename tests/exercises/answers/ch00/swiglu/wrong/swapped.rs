//? recognised: changed places
//? why: changed places

pub fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    gate.iter().zip(up).map(|(g, u)| u / (1.0 + (-u).exp()) * g).collect()
}
