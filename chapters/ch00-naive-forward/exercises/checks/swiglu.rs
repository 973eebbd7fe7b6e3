use exercise_kit::{Checked, Near, Random, call, same_numbers};

pub fn check(answer: impl Fn(&[f32], &[f32]) -> Vec<f32>) -> Checked {
    let mut random = Random::new(12);
    let gate: Vec<f32> = random.numbers(12).iter().map(|x| x * 4.0).collect();
    let up: Vec<f32> = random.numbers(12).iter().map(|x| x * 2.0).collect();
    let cases = [
        ("12 ordinary numbers", gate, up),
        ("gates of -200, 0 and 200", vec![-200.0, 0.0, 200.0], vec![2.0, 3.0, -1.0]),
    ];
    for (case, gate, up) in cases {
        let found = call(case, || answer(&gate, &up))?;
        let with = |formula: &dyn Fn(f64, f64) -> f64| -> Vec<f32> {
            gate.iter()
                .zip(&up)
                .map(|(&g, &u)| formula(f64::from(g), f64::from(u)) as f32)
                .collect()
        };
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let overflowing: Vec<f32> =
            gate.iter().zip(&up).map(|(g, u)| g * (g.exp() / (1.0 + g.exp())) * u).collect();
        same_numbers(
            case,
            &[("column", gate.len())],
            Near::Within(1e-5),
            &with(&|g, u| g * sigmoid(g) * u),
            &found,
            &[
                ("the sigmoid alone; silu(x) is x * sigmoid(x)", with(&|g, u| sigmoid(g) * u)),
                ("gate and up have changed places", with(&|g, u| u * sigmoid(u) * g)),
                (
                    "silu of the product; it is of the gate, and then times up",
                    with(&|g, u| g * u * sigmoid(g * u)),
                ),
                (
                    "the sign of the exponent: sigmoid(x) is 1 / (1 + exp(-x))",
                    with(&|g, u| g * sigmoid(-g) * u),
                ),
                (
                    "exp(200) is infinite, and infinity / infinity is NaN: write x / (1 + exp(-x))",
                    overflowing,
                ),
            ],
        )?;
    }
    Ok(())
}
