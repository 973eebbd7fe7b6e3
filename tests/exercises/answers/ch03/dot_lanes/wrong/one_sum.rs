//? recognised: one running sum
//? why: Adds everything into one number, from first to last.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    x.iter().zip(w).fold(0.0, |sum, (&a, &b)| a.mul_add(b, sum))
}
