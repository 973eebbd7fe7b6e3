//? title: Write the test that refuses a wrong gate
//? page: ch00/layer.md
//? section: The MLP
//? level: core
//? minutes: 30
//? call: check(gate_test)
//? hint 1: Compute what is right in f64, and compare with a tolerance: two right gates differ in their last bits. Then ask which numbers a wrong gate would get right by chance.
//? hint 2: gate and up must differ, both need negative numbers, and some gates should be near 0, some near 3 or -3, some 200 and -200. The list should be as long as no vector register, 11 for example.
//? hint 3: `let right = g / (1.0 + (-g).exp()) * u` in f64; refuse `found.len() != gate.len()` and every number for which `!((found - right).abs() <= 1e-4 * right.abs().max(1.0))`. Written with `!`, the comparison refuses NaN.
//? why: `(found - right).abs() > tolerance` is false for NaN, so a test written that way lets a gate pass that overflows. The
//?   negated `<=` refuses it. Equal bits would be too much to ask: the task fixes no order of operations, and a gate that
//?   computes in `f64` is right too. The tolerance grows with the number and has a floor, so it serves gates of 200 and
//?   gates near 0.

// Between its two products the MLP has a gate: result[i] = silu(gate[i]) * up[i], where silu(x) = x * sigmoid(x) and
// sigmoid(x) = 1 / (1 + exp(-x)).
//
// Write a test of it. `swiglu` is some function of `gate` and `up`, of equal length. Return `Ok(())` if it computes this,
// and otherwise an `Err` that holds the number you found at the first wrong place, as `{}` prints it.
//
// The check tries your test on two functions that are right, of which one computes in f64, and on nine that are wrong.

/// From gate and up to the result.
pub type Swiglu<'a> = &'a dyn Fn(&[f32], &[f32]) -> Vec<f32>;

pub fn gate_test(swiglu: Swiglu) -> Result<(), String> {
    //-- starter
    // todo!()
    //-- solution
    let gate = [0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 9.0, 200.0, -200.0, -2.0];
    let up = [3.0, -2.0, 0.25, -1.5, 2.0, 0.5, -4.0, 1.0, -1.0, 2.0, 5.0];
    let found = swiglu(&gate, &up);
    if found.len() != gate.len() {
        return Err(format!("{} numbers, not {}", found.len(), gate.len()));
    }
    for i in 0..gate.len() {
        let (g, u) = (f64::from(gate[i]), f64::from(up[i]));
        let right = g / (1.0 + (-g).exp()) * u;
        let near = (f64::from(found[i]) - right).abs() <= 1e-4 * right.abs().max(1.0);
        if !near {
            return Err(format!("gate {g}, up {u}: expected {right}, found {}", found[i]));
        }
    }
    Ok(())
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call, call_or};
    use std::cell::RefCell;

    type Swiglu<'a> = &'a dyn Fn(&[f32], &[f32]) -> Vec<f32>;

    /// One number of the result.
    type Gate = fn(f32, f32) -> f32;

    const RIGHT: [(&str, Gate); 2] =
        [("a right gate", right), ("a right gate that computes in f64", in_double)];

    /// The function, what it does wrong, and what the test lacks that lets it pass.
    const PLANTED: [(Gate, &str, &str); 8] = [
        (
            |g, u| u / (1.0 + (-g).exp()),
            "a gate with the sigmoid alone",
            "the numbers are not compared with silu(gate) * up",
        ),
        (
            |g, u| right(u, g),
            "a gate in which gate and up have changed places",
            "gate and up are alike in the test, so it cannot tell one from the other",
        ),
        (
            |g, u| right(g * u, 1.0),
            "a gate that takes silu of the product",
            "up is 1 everywhere, or gate * up is large everywhere",
        ),
        (
            |g, u| right(-g, -u),
            "a gate with the wrong sign in the exponent",
            "the test has no gates of both signs",
        ),
        (|g, u| right(g, u.abs()), "a gate that loses the sign of up", "up is never negative"),
        (
            |g, u| g.max(0.0) * u,
            "a gate with ReLU",
            "the test has no gates near 0, or allows too much",
        ),
        (
            |g, u| g / (1.0 + (-1.702 * g).exp()) * u,
            "a gate with the approximate GELU, x * sigmoid(1.702 x)",
            "the tolerance is so wide that another curve fits into it",
        ),
        (
            |g, u| g * (g.exp() / (1.0 + g.exp())) * u,
            "a gate that is NaN for large numbers",
            "no gate is as large as 200, or NaN passes the comparison: it is neither near nor far",
        ),
    ];

    pub fn check(answer: fn(Swiglu) -> Result<(), String>) -> Checked {
        for (name, gate) in RIGHT {
            let case = format!("your test on {name}");
            let every = |gates: &[f32], ups: &[f32]| of(gate, gates, ups);
            if let Err(message) = call(&case, || answer(&every))? {
                return Err(Failure::new(&case, "Ok(())", format!("Err({message:?})")).likely(
                "the test refuses a right gate: the last bits depend on how it is computed, so allow a little",
            ));
            }
        }
        let mut messages = Vec::new();
        for (gate, what, reason) in PLANTED {
            let case = format!("your test on {what}");
            let asked = RefCell::new(Vec::new());
            let watched = |gates: &[f32], ups: &[f32]| {
                let found = of(gate, gates, ups);
                let wrong = found.iter().zip(of(right, gates, ups));
                let wrong = wrong.filter(|(found, right)| found.to_bits() != right.to_bits());
                asked.borrow_mut().extend(wrong.map(|(found, _)| *found));
                found
            };
            let Err(message) = call(&case, || answer(&watched))? else {
                return Err(Failure::new(&case, "Err(...)", "Ok(())").likely(reason));
            };
            messages.push((case, message, asked.into_inner()));
        }
        for (case, message, wrong) in messages {
            let says = |x: &f32| {
                let wide = f64::from(*x);
                [format!("{x}"), format!("{x:?}"), format!("{wide}"), format!("{x:e}")]
                    .iter()
                    .any(|digits| message.contains(digits))
            };
            if !wrong.iter().any(says) {
                let wanted =
                    format!("a message with a wrong number, such as {:?}", wrong.first());
                return Err(Failure::new(&case, wanted, format!("Err({message:?})"))
                    .likely("the message does not hold the number that was found"));
            }
        }
        // Last, and without a look at the message: there is no number that it could name.
        let case = "your test on a gate that returns one number too few";
        let short = |gates: &[f32], ups: &[f32]| {
            let mut found = of(right, gates, ups);
            found.pop();
            found
        };
        let reason = "a result that is too short";
        match call_or(case, "Err(...)", reason, || answer(&short))? {
            Err(_) => Ok(()),
            Ok(()) => Err(Failure::new(case, "Err(...)", "Ok(())").likely(reason)),
        }
    }

    fn of(gate: Gate, gates: &[f32], ups: &[f32]) -> Vec<f32> {
        gates.iter().zip(ups).map(|(&g, &u)| gate(g, u)).collect()
    }

    fn right(g: f32, u: f32) -> f32 {
        g / (1.0 + (-g).exp()) * u
    }

    fn in_double(g: f32, u: f32) -> f32 {
        let (g, u) = (f64::from(g), f64::from(u));
        (g / (1.0 + (-g).exp()) * u) as f32
    }
}
