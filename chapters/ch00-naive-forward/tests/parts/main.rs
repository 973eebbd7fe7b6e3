//! Norm, rotation and softmax by themselves, where a whole model would hide a mistake in them.

use course_tests::root;
use ndarray::Array2;
use serde::Deserialize;

#[derive(Deserialize)]
struct Parts {
    rope: Vec<Rope>,
    rms_norm: Vec<Norm>,
    softmax: Vec<Softmax>,
}

#[derive(Deserialize)]
struct Rope {
    head_dim: usize,
    theta: f32,
    position: usize,
    x: Vec<f32>,
    y: Vec<f32>,
}

#[derive(Deserialize)]
struct Norm {
    eps: f32,
    x: Vec<f32>,
    weight: Vec<f32>,
    y: Vec<f32>,
}

#[derive(Deserialize)]
struct Softmax {
    x: Vec<f32>,
    y: Vec<f32>,
}

fn parts() -> Parts {
    let text = std::fs::read_to_string(root().join("tests/fixtures/parts.json"));
    serde_json::from_str(&text.expect("the fixture is there")).expect("the fixture is sound")
}

fn assert_close(found: &[f32], expected: &[f32], place: &str) {
    assert_eq!(found.len(), expected.len(), "{place}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            approx::relative_eq!(found, expected, epsilon = 1e-6, max_relative = 2e-6),
            "{place}, value {index}: {found}, expected {expected}"
        );
    }
}

#[test]
fn rotations_up_to_position_40_000() {
    for Rope { head_dim, theta, position, x, y } in parts().rope {
        let place = format!("head_dim {head_dim}, theta {theta}, position {position}");
        let mut found = Array2::from_shape_vec((1, x.len()), x.clone()).expect("one row");
        ch00_naive_forward::rope::rope(&mut found, head_dim, theta, position);
        assert_close(found.as_slice().expect("one piece"), &y, &place);
    }
}

#[test]
fn norms_with_epsilon_inside_the_root() {
    for (index, Norm { eps, x, weight, y }) in parts().rms_norm.into_iter().enumerate() {
        let mut found = x.clone();
        ch00_naive_forward::norm::rms_norm(&mut found, ndarray::aview1(&weight), eps);
        assert_close(&found, &y, &format!("norm {index}"));
    }
}

#[test]
fn softmax_of_scores_that_exp_cannot_hold() {
    for Softmax { x, y } in parts().softmax {
        let mut found = x.clone();
        ch00_naive_forward::softmax::softmax(&mut found);
        assert_close(&found, &y, &format!("softmax of {x:?}"));
    }
}
