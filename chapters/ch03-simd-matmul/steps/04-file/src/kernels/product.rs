use ndarray::{ArrayView2, ArrayViewMut2};

use super::number::{Number, padded};
use crate::matmul::row_of;
use crate::simd::{Kernel, Simd};

/// x times weight transposed. x: [rows, inner], weight: [columns, inner], out: [rows, columns]
pub struct Product<'a, W> {
    pub x: ArrayView2<'a, f32>,
    pub weight: ArrayView2<'a, W>,
    pub out: ArrayViewMut2<'a, f32>,
}

impl<W: Number> Kernel for Product<'_, W> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Product { x, weight, mut out } = self;
        for (row, mut out) in out.rows_mut().into_iter().enumerate() {
            for (column, out) in out.iter_mut().enumerate() {
                *out = dot(simd, row_of(x, row), row_of(weight, column));
            }
        }
    }
}

/// A product of two vectors by itself.
pub struct Dot<'a> {
    pub a: &'a [f32],
    pub b: &'a [f32],
    pub out: &'a mut f32,
}

impl Kernel for Dot<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        *self.out = dot(simd, self.a, self.b);
    }
}

/// Sixteen lanes and a tree, for a row of x and a row of the weight.
#[inline(always)]
fn dot<S: Simd, W: Number>(simd: S, x: &[f32], weight: &[W]) -> f32 {
    let (x, x_tail) = x.as_chunks::<16>();
    let (weight, weight_tail) = weight.as_chunks::<16>();
    let mut lanes = simd.load(&[0.0; 16]);
    for (x, weight) in x.iter().zip(weight) {
        lanes = simd.mul_add(simd.load(x), W::load(simd, weight), lanes);
    }
    if !x_tail.is_empty() {
        let weight = W::load(simd, &padded(weight_tail));
        lanes = simd.mul_add(simd.load(&padded(x_tail)), weight, lanes);
    }
    simd.sum(lanes)
}
