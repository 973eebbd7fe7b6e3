//! Rounding by itself, in numbers that can be checked by hand: it needs no kernel, and no program that uses it.

use ch05_quantized_weights::backend::Backend;
use ch05_quantized_weights::kernels::{Group, Round, Rounded};
use ndarray::arr2;

/// A row that begins with these numbers, all others zero, rounded by this backend.
fn rounded(backend: Backend, numbers: [f32; 4]) -> Group {
    let mut row = [0.0; 32];
    row[..4].copy_from_slice(&numbers);
    let mut rounded = Rounded::new(1, 32);
    for out in rounded.pieces_mut(1) {
        backend.run(Round { x: arr2(&[row]).view(), out });
    }
    rounded.row(0)[0]
}

#[test]
fn the_largest_becomes_127_and_a_half_goes_to_the_even_neighbour() {
    for backend in Backend::available() {
        let group = rounded(backend, [2.54, -1.0, 0.31, 0.015]);
        assert_eq!(group.scale, 2.54 / 127.0, "the scale, {backend:?}");
        let ints = [127_i8, -50, 16, 1].map(|int| int as u8);
        assert_eq!(group.ints[0][..4], ints, "the first four integers, {backend:?}");
        assert_eq!(group.sums, [94, 0], "the sums of both halves, {backend:?}");
    }
}

#[test]
fn what_no_integer_can_say_the_scale_says() {
    for backend in Backend::available() {
        assert_eq!(rounded(backend, [0.0; 4]).scale, 0.0, "of zeros, {backend:?}");
        for broken in [f32::NAN, f32::INFINITY] {
            assert!(rounded(backend, [1.0, broken, 0.0, 0.0]).scale.is_nan(), "of {broken}");
        }
    }
}
