//? title: RMSNorm of each head
//? page: ch00/product.md
//? section: RMSNorm
//? minutes: 15
//? call: check(answer::rms_norm_heads)
//? hint 1: Every head is normed alone: how many numbers go into one mean?
//? hint 2: For each head: the mean of the squares, plus eps, square root, and every number of the head is divided by it and multiplied with its weight. All heads share the same weights.
//? hint 3: `for head in x.chunks_exact_mut(weight.len())`: `let mean = sum of squares / head_dim; let scale = 1.0 / (mean + eps).sqrt();`
//? why: The norm of queries and keys is per head: its weight has head_dim numbers, not hidden ones. eps stands inside the root, as
//?   it did in training: outside it would weigh a small head differently. Nothing is subtracted; that is LayerNorm's habit.

//! Qwen3 norms the queries and keys of every head before it rotates them. `x` is one token's row `[heads, head_dim]`,
//! `weight` is `[head_dim]` and the same for all heads. In place, for each head alone:
//!
//! x[i] = x[i] / sqrt(mean of x[j]^2 over the head + eps) * weight[i]

// x: [heads, head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    //-- starter
    // todo!()
    //-- solution
    for head in x.chunks_exact_mut(weight.len()) {
        let squares: f32 = head.iter().map(|x| x * x).sum();
        let scale = 1.0 / (squares / weight.len() as f32 + eps).sqrt();
        for (x, w) in head.iter_mut().zip(weight) {
            *x *= scale * w;
        }
    }
    //-- end
}
