//! Rotations, as the judge turns them.

use ndarray::Array2;
use serde::Deserialize;
use test_support::parts::{assert_near, cases};

#[derive(Deserialize)]
struct Rope {
    head_dim: usize,
    theta: f32,
    position: usize,
    x: Vec<f32>,
    y: Vec<f32>,
}

#[test]
fn rotations_up_to_position_40_000() {
    for Rope { head_dim, theta, position, x, y } in cases("rope") {
        let place = format!("head_dim {head_dim}, theta {theta}, position {position}");
        let mut found = Array2::from_shape_vec((1, x.len()), x).expect("one row");
        ch00_naive_forward::rope::rope(&mut found, head_dim, theta, position);
        assert_near(found.as_slice().expect("one piece"), &y, &place);
    }
}

#[test]
fn each_row_has_the_position_after_the_one_before() {
    let x = Array2::from_shape_fn((3, 8), |(row, i)| (row + 2 * i) as f32 - 5.0);
    let mut found = x.clone();
    ch00_naive_forward::rope::rope(&mut found, 4, 100.0, 6);
    for (row, found) in found.rows().into_iter().enumerate() {
        let mut alone = x.slice(ndarray::s![row..row + 1, ..]).to_owned();
        ch00_naive_forward::rope::rope(&mut alone, 4, 100.0, 6 + row);
        let place = format!("row {row} of three that begin at position 6");
        assert_near(
            found.as_slice().expect("one piece"),
            alone.as_slice().expect("one piece"),
            &place,
        );
    }
}
