//? recognised: one running sum
//? why: Keeps one running sum with a fused instruction. It is exact enough, and uses one lane of eight.

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    x.iter().zip(w).fold(0.0, |sum, (&a, &b)| a.mul_add(b, sum))
}
