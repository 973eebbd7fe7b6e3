use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::kernels::rows_mut;
use crate::simd::{Kernel, Simd};

/// The angles of some positions, as cosines and sines: the same for all layers and heads.
/// -> [positions, head_dim]: the cosines in the first half, the sines in the second
pub fn angles(head_dim: usize, theta: f32, positions: &[usize]) -> Array2<f32> {
    let half = head_dim / 2;
    // The angle in f64: at position 2,000 an f32 angle has lost four of its seven digits.
    let frequencies: Vec<f64> = (0..half)
        .map(|i| 1.0 / libm::pow(f64::from(theta), (2 * i) as f64 / head_dim as f64))
        .collect();
    let mut angles = Array2::zeros((positions.len(), 2 * half));
    for (mut angles, &position) in angles.rows_mut().into_iter().zip(positions) {
        for (i, frequency) in frequencies.iter().enumerate() {
            let (sin, cos) = libm::sincos(position as f64 * frequency);
            (angles[i], angles[half + i]) = (cos as f32, sin as f32);
        }
    }
    angles
}

/// Turns the two halves of every head against each other. x: [rows, heads * head_dim], angles: [rows, head_dim]
pub struct Rope<'a> {
    pub x: ArrayViewMut2<'a, f32>,
    pub angles: ArrayView2<'a, f32>,
}

impl Kernel for Rope<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Rope { mut x, angles } = self;
        let (head_dim, half) = (angles.ncols(), angles.ncols() / 2);
        for (row, angles) in rows_mut(&mut x).zip(angles.rows()) {
            let angles = angles.to_slice().expect("a row lies in one piece");
            let (cos, sin) = angles.split_at(half);
            for head in row.chunks_exact_mut(head_dim) {
                let (first, second) = head.split_at_mut(half);
                for (((a, b), cos), sin) in first.iter_mut().zip(second).zip(cos).zip(sin) {
                    (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
                }
            }
        }
    }
}
