//? title: GELU with one exponential
//? page: ch15/gemma.md
//? section: Gates
//? level: core
//? minutes: 25
//? call: check(gelu)
//? hint 1: The hyperbolic tangent of y is (e^y − e^−y) / (e^y + e^−y). Add 1 to it, and look what's left above the line.
//? hint 2: (1 + tanh y) / 2 is e^y / (e^y + e^−y). Divide both by e^y, and only one power is left: 1 / (1 + e^(−2y)). If you divide by e^−y instead, there's a power above and below the line, and for a large y both are infinite.
//? hint 3: `let twice_y = 2.0 * (2.0 / PI).sqrt() * (x + 0.044715 * x * x * x);`, and then `x / (1.0 + (-twice_y).exp())`. If x is very negative, the power is infinite, and x divided by that is 0, as it should be.
//? why: The formula has one power, and where it overflows the quotient goes to 0, which is right. Where it vanishes, x itself is left. So no branch is needed, and a loop over many
//?   gates stays one that the compiler can turn into vectors. SiLU is the same function with x in place of 2y, so the two differ by a polynomial, and most of all near 2 and −2, by nearly 0.2.
//?   That's little enough to write sentences with the wrong one. The cube belongs to the formula that Gemma was trained with; the quicker sigmoid of 1.702 x is off by up to 0.02.

// Gemma's gates are GELU, in this form:
//
// ```text
// gelu(x) = x / 2 · (1 + tanh(y))     with y = √(2 / π) · (x + 0.044715 · x³)
// ```
//
// Write it without `tanh`, with a single call of `exp`. It has to be right for every number that isn't infinite: very large
// ones stay as they are, and very negative ones become 0. An error of 0.00001 is allowed, and for results larger than 1 so
// much of the result.

//-- solution
use std::f32::consts::PI;

//-- end
pub fn gelu(x: f32) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let twice_y = 2.0 * (2.0 / PI).sqrt() * (x + 0.044715 * x * x * x);
    x / (1.0 + (-twice_y).exp())
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Near, call, same_numbers};
    use std::f64::consts::PI;

    /// A mistake, and what it gives.
    type Mistake = (&'static str, fn(f64) -> f64);

    const MISTAKES: [Mistake; 6] = [
        ("tanh y has e^(2y) in it: the power is twice as steep", |x| gate(x, y(x))),
        ("this is SiLU", |x| gate(x, x)),
        ("this is the sigmoid of 1.702 x, which is near and not the same", |x| {
            gate(x, 1.702 * x)
        }),
        ("the cube is missing", |x| gate(x, 2.0 * (2.0 / PI).sqrt() * x)),
        ("the sign of the power is turned round", |x| gate(x, -2.0 * y(x))),
        (
            "the power above and below the line is infinite, and their quotient NaN",
            |x| match x {
                12.0.. => f64::NAN,
                _ => right(x),
            },
        ),
    ];

    pub fn check(gelu: fn(f32) -> f32) -> Checked {
        // At 1 all mistakes but the last give different numbers.
        let few = [1.0, 0.0, -0.5, 2.0, 20.0, -20.0, 1e3, -1e3, 1e13, -1e13, 1e30, -1e30];
        let many = (-640..=640).map(|eightieth| eightieth as f32 / 80.0);
        for x in few.into_iter().chain(many).chain([f32::MAX, f32::MIN]) {
            let case = format!("gelu of {x:?}");
            let found = call(&case, || gelu(x))?;
            let wide = f64::from(x);
            let mistakes = MISTAKES.map(|(reason, of)| (reason, vec![of(wide) as f32]));
            let expected = [right(wide) as f32];
            same_numbers(&case, &[], Near::Within(1e-5), &expected, &[found], &mistakes)?;
        }
        Ok(())
    }

    fn y(x: f64) -> f64 {
        (2.0 / PI).sqrt() * (x + 0.044715 * x.powi(3))
    }

    fn gate(x: f64, steep: f64) -> f64 {
        x / (1.0 + (-steep).exp())
    }

    /// As it's written.
    fn right(x: f64) -> f64 {
        x / 2.0 * (1.0 + y(x).tanh())
    }
}
