//! What the kernels of chapter 3 must give, bit for bit, in every backend of this CPU.

use ndarray::ArrayView2;

#[path = "../../../../tests/shared/common.rs"]
pub mod common;

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

pub fn numbers_of<W: Copy>(x: ArrayView2<W>, row: usize) -> Vec<W> {
    x.row(row).to_slice().expect("a row lies in one piece").to_vec()
}
