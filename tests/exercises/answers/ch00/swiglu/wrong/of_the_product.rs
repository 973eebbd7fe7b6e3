//? recognised: of the product
//? why: of the product

pub fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    gate.iter().zip(up).map(|(g, u)| g * u).map(|x| x / (1.0 + (-x).exp())).collect()
}
