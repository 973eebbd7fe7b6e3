//? title: Move a key that has been rotated already
//? page: ch00/positions.md
//? section: Positions
//? level: core
//? minutes: 30
//? call: check(move_key)
//? hint 1: The key has been turned by `from` steps, and should look as if it had been turned by `to`. By how many steps is it still to be turned, and in which direction?
//? hint 2: Turn by `to - from` steps, with the pairs and angles of the page. That number is negative when the key moves to the front, and a `usize` is not.
//? hint 3: `let steps = to as f64 - from as f64; let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / n as f64);` then the pair i, i + n / 2 as on the page; read both before you write one.
//? why: Two turns one after the other are one turn by the sum of their angles. So the first need not be undone: turning by the
//?   difference is enough. Some engines do this when a conversation has filled the cache and its oldest part is dropped.
//?   The result is near to a fresh computation and not equal to it, because the keys of the upper layers still remember the
//?   text that was dropped.

// An engine need not compute the keys of earlier tokens again for each new one: it can keep them, as we do from chapter 2 on.
// Now a conversation has become too long, and some engines drop its oldest part. The keys that they keep are
// rotated to their old positions. Do not compute them again: move them.
//
// `key` is one head of a key, rotated to position `from` as on the page: number i and number i + head_dim / 2 are a point,
// turned by position * theta^(-2 i / head_dim). Change it in place to what it would be if it had been rotated to
// position `to`. `to` may be smaller than `from`, larger, or the same. Compute the angle in f64.

// key: [head_dim], head_dim even
pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    //-- starter
    // todo!()
    //-- solution
    let steps = to as f64 - from as f64;
    let half = key.len() / 2;
    for i in 0..half {
        let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / key.len() as f64);
        let (sin, cos) = (angle.sin() as f32, angle.cos() as f32);
        let (a, b) = (key[i], key[i + half]);
        key[i] = a * cos - b * sin;
        key[i + half] = a * sin + b * cos;
    }
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Near, Random, call, same_numbers};

    pub fn check(answer: fn(&mut [f32], usize, usize, f32)) -> Checked {
        let mut random = Random::new(13);
        let digits = "nearly right: at late positions an angle in f32 has too few digits; compute it in f64";
        // In each, one thing more can go wrong.
        for (head_dim, from, to, theta, likely) in [
            (8, 3, 3, 10_000.0, "turned by `to`, on top of the turn that the key had already"),
            (2, 0, 1, 1e6, "turned the wrong way"),
            (
                8,
                2,
                5,
                10_000.0,
                "neighbours are paired; in Qwen3 the partner of i is i + head_dim / 2",
            ),
            (8, 5, 2, 10_000.0, "to - from is below zero, and a usize cannot be"),
            (128, 1000, 0, 1e6, digits),
            (128, 30_000, 29_000, 1e6, digits),
            (64, 0, 2000, 1e6, digits),
            (512, 40_000, 100, 1e6, digits),
            (64, 16_777_217, 16_777_216, 1e6, digits),
        ] {
            let case =
                format!("head_dim {head_dim}, from position {from} to {to}, theta {theta}");
            let original = random.numbers(head_dim);
            let half = head_dim / 2;
            let at = |position: usize| -> Vec<f32> {
                let turned = |i: usize| {
                    let power = -2.0 * (i % half) as f64 / head_dim as f64;
                    let angle = position as f64 * f64::from(theta).powf(power);
                    let [a, b] = [i % half, i % half + half].map(|i| f64::from(original[i]));
                    match i < half {
                        true => a * angle.cos() - b * angle.sin(),
                        false => a * angle.sin() + b * angle.cos(),
                    }
                };
                (0..head_dim).map(|i| turned(i) as f32).collect()
            };
            let (mut found, right) = (at(from), at(to));
            call(&case, || answer(&mut found, from, to, theta)).map_err(|failure| {
                let failure =
                    Failure { expected: "the key at its new position".into(), ..failure };
                failure.if_stopped(
                    "subtract with overflow",
                    "to - from is below zero, and a usize cannot be",
                )
            })?;
            let off = |half: &[f32], right: &[f32]| {
                half.iter().zip(right).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
            };
            let likely = match head_dim == 2 && off(&found[..half], &right[..half]) < 2e-5 {
                true => {
                    "the second number was computed from a first that had already been changed"
                }
                // Right to two digits and not to five: the angle has lost the others.
                false if likely == digits && off(&found, &right) > 0.02 => "",
                false => likely,
            };
            let (shape, near) = ([("column", head_dim)], Near::Within(2e-5));
            same_numbers(&case, &shape, near, &right, &found, &[]).map_err(|failure| {
                if likely.is_empty() { failure } else { failure.likely(likely) }
            })?;
        }
        Ok(())
    }
}
