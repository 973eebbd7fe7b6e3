//? title: A norm with a fault
//? page: ch00/product.md
//? section: RMSNorm
//? level: warm-up
//? minutes: 15
//? call: check(answer::rms_norm_heads)
//? hint 1: Which numbers of a head are right, and which are not? Work out by hand what happens to a head [3, 4] with weights of 1.
//? hint 2: The second number of a head is divided by something else than the first. What has changed in between?
//? hint 3: The sum of the squares is computed anew for every number, and by then the numbers before it have been normed already. It belongs before the loop.
//? why: The function reads and writes the same slice. The sum was computed inside the loop, so from the second number on it
//?   saw numbers that were normed already. Only the first number of each head was right. If you change a slice in place,
//?   read what you need before the first change.

//! This function should norm each piece of a row by itself, in place. The pieces follow one another in `x` and all have the
//! length of `weight`: they share this one weight. The code calls a piece a head, and its length `head_dim`.
//! (A later page says what heads are for.)
//!
//! x[i] = x[i] / sqrt(mean of x[j]^2 over its piece + eps) * weight[i]
//!
//! It compiles, and a model with it writes text. It has one fault. Find it with the help of the test, and mend it. The test
//! tells you the symptom; keep the rest of the function as it is.

// x: [heads, head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        //-- starter
        // for i in 0..weight.len() {
        //     let squares: f32 = head.iter().map(|x| x * x).sum();
        //     let mean = squares / weight.len() as f32;
        //     head[i] *= weight[i] / (mean + eps).sqrt();
        // }
        //-- solution
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let mean = squares / weight.len() as f32;
        for i in 0..weight.len() {
            head[i] *= weight[i] / (mean + eps).sqrt();
        }
        //-- end
    }
}
