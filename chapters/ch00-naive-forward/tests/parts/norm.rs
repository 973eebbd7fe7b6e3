//! Norms, as the judge takes them.

use ndarray::{Array2, aview1};
use serde::Deserialize;
use test_support::parts::{assert_near, cases};

#[derive(Deserialize)]
struct Norm {
    eps: f32,
    x: Vec<f32>,
    weight: Vec<f32>,
    y: Vec<f32>,
}

#[test]
fn norms_with_epsilon_inside_the_root() {
    for (index, Norm { eps, x, weight, y }) in cases("rms_norm").enumerate() {
        let mut found = x.clone();
        ch00_naive_forward::norm::rms_norm(&mut found, aview1(&weight), eps);
        assert_near(&found, &y, &format!("norm {index}"));
    }
}

#[test]
fn every_row_has_its_own_norm() {
    for (index, Norm { eps, x, weight, y }) in cases("rms_norm").enumerate() {
        let mut rows = Array2::zeros((3, x.len()));
        rows.row_mut(1).assign(&aview1(&x));
        let found = ch00_naive_forward::norm::rms_norm_rows(rows.view(), aview1(&weight), eps);
        let found = found.row(1).to_vec();
        assert_near(&found, &y, &format!("norm {index} as row 1 of three"));
    }
}
