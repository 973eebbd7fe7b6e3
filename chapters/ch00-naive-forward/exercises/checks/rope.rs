use exercise_kit::{Checked, Near, Random, call, same_numbers};

pub fn check(answer: impl Fn(&mut [f32], usize, f32)) -> Checked {
    let mut random = Random::new(13);
    for (head_dim, position, theta) in
        [(8, 3, 10_000.0), (8, 0, 10_000.0), (2, 1, 1e6), (128, 1000, 1e6), (64, 30_000, 1e6)]
    {
        let case = format!("head_dim {head_dim}, position {position}, theta {theta}");
        let head = random.numbers(head_dim);
        let mut found = head.clone();
        call(&case, || answer(&mut found, position, theta))?;

        let half = head_dim / 2;
        let halves = |i: usize| (i, i + half);
        let neighbours = |i: usize| (2 * i, 2 * i + 1);
        let rotate = |pair: &dyn Fn(usize) -> (usize, usize), position: f64, factor: f64| {
            let mut out: Vec<f64> = head.iter().map(|&x| f64::from(x)).collect();
            for i in 0..half {
                let exponent = -factor * i as f64 / head_dim as f64;
                let angle = position * f64::from(theta).powf(exponent);
                let (first, second) = pair(i);
                let (a, b) = (out[first], out[second]);
                out[first] = a * angle.cos() - b * angle.sin();
                out[second] = a * angle.sin() + b * angle.cos();
            }
            out.into_iter().map(|x| x as f32).collect::<Vec<f32>>()
        };
        let place = position as f64;
        let mut overwritten = rotate(&halves, place, 2.0);
        for i in 0..half {
            let angle = place * f64::from(theta).powf(-2.0 * i as f64 / head_dim as f64);
            let (a, b) = (f64::from(overwritten[i]), f64::from(head[i + half]));
            overwritten[i + half] = (a * angle.sin() + b * angle.cos()) as f32;
        }
        // An angle in f32 is off by up to 2^-24 of itself.
        let tolerance = 2e-5f32.max(position as f32 * 2e-7);
        same_numbers(
            &case,
            &[("column", head_dim)],
            Near::Within(tolerance),
            &rotate(&halves, place, 2.0),
            &found,
            &[
                (
                    "neighbours are paired; in Qwen3 the partner of i is i + head_dim / 2",
                    rotate(&neighbours, place, 2.0),
                ),
                (
                    "the exponent is -2 i / head_dim: the factor 2 is missing",
                    rotate(&halves, place, 1.0),
                ),
                (
                    "the points turn in the other direction: check the signs of the two sines",
                    rotate(&halves, -place, 2.0),
                ),
                (
                    "positions are counted from 1; the first token is at 0 and is not turned",
                    rotate(&halves, place + 1.0, 2.0),
                ),
                (
                    "the second number was computed from a first that had already been changed: read both first",
                    overwritten,
                ),
                ("nothing is turned: was the position 0 on every step?", head.clone()),
            ],
        )?;
    }
    Ok(())
}
