//? title: Write the test that refuses a wrong gate
//? page: ch00/layer.md
//? section: The MLP
//? level: core
//? minutes: 30
//? call: check(answer::gate_test)
//? hint 1: Compute what is right in f64, and compare with a tolerance: two right gates differ in their last bits. Then ask which numbers a wrong gate would get right by chance.
//? hint 2: gate and up must differ, both need negative numbers, and some gates should be near 0, some near 3 or -3, some 200 and -200. The list should be as long as no vector register, 11 for example.
//? hint 3: `let right = g / (1.0 + (-g).exp()) * u` in f64; refuse `found.len() != gate.len()` and every number for which `!((found - right).abs() <= 1e-4 * right.abs().max(1.0))`. Written with `!`, the comparison refuses NaN.
//? why: `(found - right).abs() > tolerance` is false for NaN, so a test written that way lets a gate pass that overflows. The
//?   negated `<=` refuses it. Equal bits would be too much to ask: the task fixes no order of operations, and a gate that
//?   computes in `f64` is right too. The tolerance grows with the number and has a floor, so it serves gates of 200 and
//?   gates near 0.

//! Between its two products the MLP has a gate: result[i] = silu(gate[i]) * up[i], where silu(x) = x * sigmoid(x) and
//! sigmoid(x) = 1 / (1 + exp(-x)).
//!
//! Write a test of it. `swiglu` is some function of `gate` and `up`, of equal length. Return `Ok(())` if it computes this,
//! and otherwise an `Err` that holds the number you found at the first wrong place, as `{}` prints it.
//!
//! The check tries your test on two functions that are right, of which one computes in f64, and on fifteen that are wrong.

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
