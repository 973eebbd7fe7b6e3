//? title: The gate of the MLP: SwiGLU
//? page: ch00/layer.md
//? section: The MLP
//? minutes: 10
//? call: check(answer::swiglu)
//? hint 1: Two rows come in and one goes out, number by number. Which of the two goes through the curve?
//? hint 2: silu(x) = x * sigmoid(x) = x / (1 + exp(-x)), of the gate; the other is multiplied with it.
//? hint 3: `gate.iter().zip(up).map(|(g, u)| g / (1.0 + (-g).exp()) * u)`
//? why: As a quotient, silu needs no care: for a gate of -200 the exponential is infinite and g / infinity is 0, which is right. Written as
//?   exp(g) / (1 + exp(g)), a gate of +200 would be infinity / infinity.

//! Between its two products the MLP has a gate: result[i] = silu(gate[i]) * up[i], where silu(x) = x * sigmoid(x) and
//! sigmoid(x) = 1 / (1 + exp(-x)). Gates of -200 and +200 are nothing special and must not give NaN.

// gate, up: [ffn] -> [ffn]
pub fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    gate.iter().zip(up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect()
    //-- end
}
