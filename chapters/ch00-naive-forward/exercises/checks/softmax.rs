use exercise_kit::{Checked, Near, call, same_numbers};

pub fn check(answer: impl Fn(&mut [f32])) -> Checked {
    let cases: [&[f32]; 7] = [
        &[1.0, 2.0, 3.0],
        &[5.0],
        &[0.5, -0.5, 0.25, 4.0, 0.5],
        &[200.0, 199.0, 10.0],
        &[-200.0, -201.0],
        &[-85.0, f32::NEG_INFINITY, -84.0],
        &[f32::MAX, f32::MAX],
    ];
    for scores in cases {
        let case = format!("scores {scores:?}");
        let mut found = scores.to_vec();
        call(&case, || answer(&mut found))?;
        let exact = |change: &dyn Fn(f64) -> f64| -> Vec<f32> {
            let powers: Vec<f64> =
                scores.iter().map(|&score| change(f64::from(score)).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.iter().map(|power| (power / sum) as f32).collect()
        };
        let largest = f64::from(scores.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        let in_f32 = |subtract: f32| -> Vec<f32> {
            let sum: f32 = scores.iter().map(|score| (score - subtract).exp()).sum();
            scores.iter().map(|score| (score - subtract).exp() / sum).collect()
        };
        let mut mistakes = vec![
            (
                "divided by the largest score instead of subtracting it",
                exact(&|score| score / largest),
            ),
            (
                "the weights do not add up to 1: divide by the sum",
                scores.iter().map(|&score| (f64::from(score) - largest).exp() as f32).collect(),
            ),
            (
                "clamped: a score far below the largest counts as more than it is, minus infinity too",
                exact(&|score| score.clamp(-80.0, 80.0) - largest.clamp(-80.0, 80.0)),
            ),
        ];
        if largest > 80.0 {
            mistakes.push(("exp overflows to infinity, and infinity / infinity is NaN: subtract the largest score", in_f32(0.0)));
        } else if largest < -80.0 {
            mistakes.push(("the search for the largest score begins at 0: everything underflows, and 0 / 0 is NaN", in_f32(0.0)));
        }
        let expected = exact(&|score| score - largest);
        same_numbers(
            &case,
            &[("weight", scores.len())],
            Near::Within(1e-6),
            &expected,
            &found,
            &mistakes,
        )?;
    }
    Ok(())
}
