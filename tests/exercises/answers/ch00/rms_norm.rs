//? title: A norm with a fault
//? page: ch00/product.md
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
        // A large eps shows where it is added; the last case is a row of zeros.
        for (heads, head_dim, eps, size) in [
            (3, 4, 0.5, 1.0),
            (40, 8, 1e-6, 3.0),
            (1, 2, 1e-6, 1e-3),
            (2, 4, 1e-6, 0.0),
            (2, 4, 1e-6, 1e9),
        ] {
            let case = format!(
                "{heads} heads, head_dim {head_dim}, eps {eps:e}, numbers up to {size}"
            );
            let mut x: Vec<f32> = random.numbers(heads * head_dim);
            x.iter_mut().for_each(|x| *x *= size);
            let weight: Vec<f32> =
                random.numbers(head_dim).iter().map(|w| 0.25 + 1.5 * w).collect();
            let mut found = x.clone();
            call(&case, || answer(&mut found, &weight, eps))?;

            let eps = f64::from(eps);
            let wide: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
            // group: over how many numbers one mean goes.
            let norm =
                |group: usize, centre: bool, weigh: bool, root: &dyn Fn(f64, f64) -> f64| {
                    let mut out = Vec::new();
                    for head in wide.chunks(group) {
                        let n = head.len() as f64;
                        let middle = if centre { head.iter().sum::<f64>() / n } else { 0.0 };
                        let squares: f64 =
                            head.iter().map(|x| (x - middle) * (x - middle)).sum();
                        out.extend(head.iter().map(|x| (x - middle) / root(squares, n)));
                    }
                    for (i, x) in out.iter_mut().enumerate() {
                        *x *= if weigh { f64::from(weight[i % head_dim]) } else { 1.0 };
                    }
                    out.into_iter().map(|x| x as f32).collect::<Vec<f32>>()
                };
            let right = |squares: f64, n: f64| (squares / n + eps).sqrt();
            let of_the_first = |found: Vec<f32>| -> Vec<f32> {
                let first = &wide[..head_dim];
                let squares: f64 = first.iter().map(|x| x * x).sum();
                let scale = right(squares, head_dim as f64);
                let normed = |i: usize| wide[i] / scale * f64::from(weight[i % head_dim]);
                (0..found.len()).map(|i| normed(i) as f32).collect()
            };
            let one_more: Vec<f32> = norm(head_dim, false, false, &right)
                .iter()
                .enumerate()
                .map(|(i, x)| x * (1.0 + weight[i % head_dim]))
                .collect();
            let mut given = x.clone();
            as_given(&mut given, &weight, eps as f32);
            same_numbers(
                &case,
                &[("head", heads), ("column", head_dim)],
                Near::Within(1e-5),
                &norm(head_dim, false, true, &right),
                &found,
                &[
                    (GIVEN, given),
                    ("the mean of the first head is used for all", of_the_first(found.clone())),
                    (
                        "1 + weight, as in Gemma's norm; Qwen3 multiplies by the weight itself",
                        one_more,
                    ),
                    (
                        "one mean over all heads; each head has its own",
                        norm(heads * head_dim, false, true, &right),
                    ),
                    (
                        "the mean is subtracted, as LayerNorm does; RMSNorm does not",
                        norm(head_dim, true, true, &right),
                    ),
                    (
                        "eps belongs inside the root",
                        norm(head_dim, false, true, &|squares, n| (squares / n).sqrt() + eps),
                    ),
                    (
                        "the sum of the squares is used; it is their mean",
                        norm(head_dim, false, true, &|squares, _| (squares + eps).sqrt()),
                    ),
                ],
            )?;
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
