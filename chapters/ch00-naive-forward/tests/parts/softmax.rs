//! Softmax, on scores that no prompt would bring about too.

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
        ch00_naive_forward::softmax::softmax(&mut found);
        assert_near(&found, &y, &format!("softmax of {x:?}"));
    }
}
