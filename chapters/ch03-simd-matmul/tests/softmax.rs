//! Softmax with this chapter's own exponential, on scores that no prompt would bring about.

use ch03_simd_matmul::exp::exp;
use ch03_simd_matmul::softmax::softmax;
use serde::Deserialize;
use test_support::parts::{assert_near, cases};

#[derive(Deserialize)]
struct Softmax {
    x: Vec<f32>,
    y: Vec<f32>,
}

#[test]
fn softmax_of_scores_that_exp_cannot_hold() {
    for Softmax { x, y } in cases("softmax") {
        let mut found = x.clone();
        softmax(&mut found);
        assert_near(&found, &y, &format!("softmax of {x:?}"));
    }
}

#[test]
fn exp_is_at_most_two_units_off() {
    for x in (-86_990_i32..87_990).map(|thousandth| thousandth as f32 / 1000.0) {
        let expected = f64::from(x).exp();
        let found = exp(x);
        let unit = f64::from(found.next_up() - found);
        assert!(
            (f64::from(found) - expected).abs() < 2.0 * unit,
            "exp({x}) is {found}, not {expected}"
        );
    }
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(exp(-0.0), 1.0);
    assert!(exp(f32::NAN).is_nan());
    assert!((0.0..1e-37).contains(&exp(f32::NEG_INFINITY)));
    assert!(exp(f32::INFINITY) > 1e38);
}
