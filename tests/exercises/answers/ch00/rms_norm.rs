//? title: A norm with a fault
//? page: ch00/layer.md
//? section: RMSNorm
//? level: warm-up
//? minutes: 15
//? call: check(rms_norm_heads)
//? hint 1: Which numbers of a head are right, and which are not? Work out by hand what happens to a head [3, 4] with weights of 1.
//? hint 2: The second number of a head is divided by something else than the first. What has changed in between?
//? hint 3: The sum of the squares is computed anew for every number, and by then the numbers before it have been normed already. It belongs before the loop.
//? why: The function reads and writes the same slice. The sum was computed inside the loop, so from the second number on it
//?   saw numbers that were normed already. Only the first number of each head was right. If you change a slice in place,
//?   read what you need before the first change.

// This function should norm each piece of a row by itself, in place. The pieces follow one another in `x` and all have the
// length of `weight`: they share this one weight. The code calls a piece a head, and its length `head_dim`.
// (A later page says what heads are for.)
//
// x[i] = x[i] / sqrt(mean of x[j]^2 over its piece + eps) * weight[i]
//
// It compiles, and a model with it writes text. It has one fault. Find it with the help of the test, and mend it. The test
// tells you the symptom; keep the rest of the function as it is.

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

//-- check
pub mod check {
    use exercise_kit::{Checked, GIVEN, Near, Random, call, same_numbers};

    pub fn check(answer: fn(&mut [f32], &[f32], f32)) -> Checked {
        let mut random = Random::new(11);
        let gemma = "1 + weight, as in Gemma's norm; Qwen3 multiplies by the weight itself";
        // In each, one thing more can go wrong. A large eps shows where it is added; the last case is a row of zeros.
        for (heads, head_dim, eps, size, likely) in [
            (1, 1, 1e-6, 3.0, gemma),
            (1, 2, 1e-6, 3.0, "the sum of the squares is used; it is their mean"),
            (1, 4, 0.5, 1.0, "eps belongs inside the root"),
            (3, 4, 0.5, 1.0, "one mean over all heads; each head has its own"),
            (300, 8, 1e-6, 3.0, ""),
            (1, 300, 1e-6, 1e-3, ""),
            (2, 4, 1e-6, 1e9, ""),
            (2, 4, 1e-6, 0.0, ""),
        ] {
            let case = format!(
                "{heads} heads, head_dim {head_dim}, eps {eps:e}, numbers up to {size}"
            );
            let x: Vec<f32> =
                random.numbers(heads * head_dim).iter().map(|x| x * size).collect();
            let weight: Vec<f32> =
                random.numbers(head_dim).iter().map(|w| 0.25 + 1.5 * w).collect();
            let mut found = x.clone();
            call(&case, || answer(&mut found, &weight, eps))?;
            let norm = |head: &[f32]| -> Vec<f32> {
                let wide = head.iter().map(|x| f64::from(*x));
                let mean = wide.clone().map(|x| x * x).sum::<f64>() / head_dim as f64;
                let root = (mean + f64::from(eps)).sqrt();
                wide.zip(&weight).map(|(x, w)| (x / root * f64::from(*w)) as f32).collect()
            };
            let expected: Vec<f32> = x.chunks(head_dim).flat_map(norm).collect();
            let mut given = x.clone();
            as_given(&mut given, &weight, eps);
            let (shape, near) = ([("head", heads), ("column", head_dim)], Near::Within(1e-5));
            let same = |expected: &[f32], found: &[f32]| {
                same_numbers(&case, &shape, near, expected, found, &[(GIVEN, given.clone())])
            };
            let likely = match heads {
                1 if found == [0.0] => {
                    "the mean is subtracted, as LayerNorm does; RMSNorm does not"
                }
                3 if same(&expected[..4], &found[..4]).is_ok() => {
                    "the mean of the first head is used for all"
                }
                _ => likely,
            };
            same(&expected, &found).map_err(|failure| {
                if failure.given { failure } else { failure.likely(likely) }
            })?;
        }
        Ok(())
    }

    /// The function whose fault is to be found: the sum sees numbers that are normed already.
    fn as_given(x: &mut [f32], weight: &[f32], eps: f32) {
        for head in x.chunks_exact_mut(weight.len()) {
            for i in 0..weight.len() {
                let squares: f32 = head.iter().map(|x| x * x).sum();
                let mean = squares / weight.len() as f32;
                head[i] *= weight[i] / (mean + eps).sqrt();
            }
        }
    }
}
