//! What the kernels of chapter 3 must give, bit for bit, in every backend of this CPU.

use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::simd::Scalar;
use ground::random::SplitMix64;
use ndarray::ArrayView2;

/// The shape of every dot product, written down as plainly as possible.
pub fn dot<W: Copy + Into<f32>>(x: &[f32], weight: &[W]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for i in 0..x.len().next_multiple_of(16) {
        let (a, b) = if i < x.len() { (x[i], weight[i].into()) } else { (0.0, 0.0) };
        lanes[i % 16] = a.mul_add(b, lanes[i % 16]);
    }
    let eight: [f32; 8] = std::array::from_fn(|j| lanes[j] + lanes[j + 8]);
    let four: [f32; 4] = std::array::from_fn(|j| eight[j] + eight[j + 4]);
    let two: [f32; 2] = std::array::from_fn(|j| four[j] + four[j + 2]);
    two[0] + two[1]
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

pub fn numbers_of<W: Copy>(x: ArrayView2<W>, row: usize) -> Vec<W> {
    x.row(row).to_slice().expect("a row lies in one piece").to_vec()
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

pub fn number(noise: &mut SplitMix64) -> f32 {
    noise.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
}
