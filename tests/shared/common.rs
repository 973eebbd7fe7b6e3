//! What the tests of products, of blocks and of rounding share, in chapters 3, 5 and 6.
#![allow(dead_code)] // no part needs all of it

use crate::engine::backend::Backend;
use crate::engine::simd::Scalar;
use ground::dtype::StoredType;
use ground::random::SplitMix64;
use half::f16;
use ndarray::{Array2, ArrayView2};
use proptest::prelude::*;

/// Where in a block the 16-bit scales are.
pub fn places_of_scales(stored: StoredType) -> &'static [usize] {
    match stored {
        StoredType::Q8_0 | StoredType::Q4_0 => &[0],
        StoredType::Q4_1 | StoredType::Q4_K | StoredType::Q5_K => &[0, 2],
        _ => &[208],
    }
}

/// All backends of this CPU, and plain Rust as on a CPU without fused multiply-add.
pub fn backends() -> Vec<Backend> {
    let mut backends = Backend::available();
    backends.push(Backend::Scalar(Scalar::without_fma()));
    backends
}

/// Equal bits; which of the many NaNs it is may differ.
pub fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

pub fn assert_same(found: ArrayView2<f32>, expected: ArrayView2<f32>, what: &str) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    for ((place, &found), &expected) in found.indexed_iter().zip(&expected) {
        assert!(
            same(found, expected),
            "{what}, output {place:?}: {found:e} instead of {expected:e}"
        );
    }
}

/// Between -1 and 1.
pub fn number(noise: &mut SplitMix64) -> f32 {
    noise.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
}

pub fn numbers(noise: &mut SplitMix64, rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |_| number(noise))
}

/// Blocks of random bytes, with scales between -1 and 1.
pub fn random_blocks(noise: &mut SplitMix64, stored: StoredType, blocks: usize) -> Vec<u8> {
    let mut bytes = vec![0; blocks * stored.block_bytes()];
    for block in bytes.chunks_exact_mut(stored.block_bytes()) {
        block.fill_with(|| noise.below(256) as u8);
        for &at in places_of_scales(stored) {
            set_scale(block, at, f16::from_f32(number(noise)));
        }
    }
    bytes
}

pub fn set_scale(block: &mut [u8], at: usize, scale: f16) {
    block[at..at + 2].copy_from_slice(&scale.to_le_bytes());
}

/// Numbers that hardware and software treat in special ways.
pub const ODD: [f32; 19] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-40, // subnormal
    -1e-45,
    3e-6, // subnormal as f16
    65504.0,
    -f32::MIN_POSITIVE,
    3.7e-37, // about where the inverse of a scale is infinite
    1e30,
    -1e30,
    f32::EPSILON,
];

/// Any bits at all.
pub fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -2.0_f32..2.0,
        1 => any::<u32>().prop_map(f32::from_bits),
        1 => proptest::sample::select(&ODD[..]),
    ]
}
