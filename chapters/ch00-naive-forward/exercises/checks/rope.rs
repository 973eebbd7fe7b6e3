use exercise_kit::{Checked, Near, Random, call_or, same_numbers};

pub fn check(answer: impl Fn(&mut [f32], usize, usize, f32)) -> Checked {
    let mut random = Random::new(13);
    for (head_dim, from, to, theta) in [
        (8, 2, 5, 10_000.0),
        (8, 5, 2, 10_000.0),
        (8, 3, 3, 10_000.0),
        (2, 1, 0, 1e6),
        (128, 1000, 0, 1e6),
        (128, 30_000, 29_000, 1e6),
        (64, 0, 2000, 1e6),
        (64, 40_000, 100, 1e6),
        (64, 16_777_217, 16_777_216, 1e6),
    ] {
        let case = format!("head_dim {head_dim}, from position {from} to {to}, theta {theta}");
        let original: Vec<f64> =
            random.numbers(head_dim).iter().map(|&x| f64::from(x)).collect();
        let half = head_dim / 2;
        let halves = |i: usize| (i, i + half);
        let neighbours = |i: usize| (2 * i, 2 * i + 1);
        type Pair<'a> = &'a dyn Fn(usize) -> (usize, usize);
        let rotate = |x: &[f64], pair: Pair, steps: f64, factor: f64| -> Vec<f64> {
            let mut out = x.to_vec();
            for i in 0..half {
                let exponent = -factor * i as f64 / head_dim as f64;
                let angle = steps * f64::from(theta).powf(exponent);
                let (first, second) = pair(i);
                let (a, b) = (out[first], out[second]);
                out[first] = a * angle.cos() - b * angle.sin();
                out[second] = a * angle.sin() + b * angle.cos();
            }
            out
        };
        let (start, end) = (from as f64, to as f64);
        let there = rotate(&original, &halves, start, 2.0);
        let narrow = |x: Vec<f64>| x.into_iter().map(|x| x as f32).collect::<Vec<f32>>();
        let mut found = narrow(there.clone());
        call_or(
            &case,
            "the key at its new position",
            "to - from is below zero, and a usize cannot be",
            || answer(&mut found, from, to, theta),
        )?;
        let turned = |steps: f64| narrow(rotate(&there, &halves, steps, 2.0));
        let mut overwritten = rotate(&there, &halves, end - start, 2.0);
        for i in 0..half {
            let angle =
                (end - start) * f64::from(theta).powf(-2.0 * i as f64 / head_dim as f64);
            let (a, b) = (overwritten[i], there[i + half]);
            overwritten[i + half] = a * angle.sin() + b * angle.cos();
        }
        let right = narrow(rotate(&original, &halves, end, 2.0));
        // Right to two digits and not to five: the angle has lost the others.
        let coarse =
            right.iter().zip(&found).all(|(right, found)| (right - found).abs() < 0.02);
        same_numbers(
            &case,
            &[("column", head_dim)],
            Near::Within(2e-5),
            &right,
            &found,
            &[
                (
                    "an f32 does not hold every position",
                    if from > 1 << 24 { narrow(there.clone()) } else { Vec::new() },
                ),
                (
                    "16 bits with a sign do not hold a position of 40000",
                    match from > 1 << 15 {
                        true => turned(f64::from((to as i16).wrapping_sub(from as i16))),
                        false => Vec::new(),
                    },
                ),
                (
                    "nearly right: at late positions an angle in f32 has too few digits; compute it in f64",
                    if coarse && from.max(to) >= 1000 { found.clone() } else { Vec::new() },
                ),
                ("turned by `to`, on top of the turn that the key had already", turned(end)),
                (
                    "moved to the right where it should go to the left: the difference has a sign",
                    turned((end - start).abs()),
                ),
                ("turned the wrong way", turned(start - end)),
                ("turned back to position 0, and not on to `to`", turned(-start)),
                (
                    "neighbours are paired; in Qwen3 the partner of i is i + head_dim / 2",
                    narrow(rotate(&there, &neighbours, end - start, 2.0)),
                ),
                (
                    "the exponent is -2 i / head_dim: the factor 2 is missing",
                    narrow(rotate(&there, &halves, end - start, 1.0)),
                ),
                (
                    "the second number was computed from a first that had already been changed",
                    narrow(overwritten),
                ),
                (
                    "the key has not moved: is the difference below zero, and cut off at 0?",
                    narrow(there.clone()),
                ),
                ("the angle is in radians, not in degrees", turned((end - start).to_radians())),
            ],
        )?;
    }
    Ok(())
}
