//! Products with Q8_0, as large as they can be.

use ground::dtype::StoredType;
use half::f16;

use super::blocks::hostile::largest_x;
use super::blocks::{backends, set_scale};

/// Where 16 bits would not be enough for two products, and 24 bits are for all.
#[test]
fn the_largest_sums_of_all() {
    let mut block = [0x80; 34]; // every integer is -128
    set_scale(&mut block, 0, f16::ONE);
    let x = largest_x(32);
    for backend in backends() {
        let found = super::product(backend, x.view(), StoredType::Q8_0, &block, 1);
        let sum = 32.0 * 128.0 * 127.0;
        let expected = [-sum, sum, 0.0, 0.0, 0.0, 0.0];
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(*found, expected, "{backend:?}");
        }
    }
}
