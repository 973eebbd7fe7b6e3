use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::rows::{row_of, rows_mut};
use crate::simd::{Kernel, Simd};

/// Adds values to each row of `out`, from the first on, each times its own weight.
/// weights: for each row of `out` as many as it adds values, v: for each [values, width],
/// out: [rows, width]
pub struct WeightedSums<'a> {
    pub weights: &'a [&'a [f32]],
    pub v: &'a [ArrayView2<'a, f32>],
    pub out: ArrayViewMut2<'a, f32>,
}

/// How many rows go into all sums before the next ones are read.
const TOGETHER: usize = 8;

impl Kernel for WeightedSums<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let WeightedSums { weights, v, mut out } = self;
        let most = weights.iter().map(|weights| weights.len()).max().unwrap_or(0);
        for (turn, start) in (0..most).step_by(TOGETHER).enumerate() {
            for (row, out) in rows_mut(&mut out).enumerate() {
                let Some(weights) = weights[row].chunks(TOGETHER).nth(turn) else { continue };
                let v = v[row];
                let mut first = 0;
                let (blocks, rest) = out.as_chunks_mut::<64>();
                for block in blocks {
                    columns::<S, 4>(simd, weights, v, start, first, block.as_chunks_mut().0);
                    first += 64;
                }
                let (sixteens, tail) = rest.as_chunks_mut::<16>();
                for sixteen in sixteens {
                    columns::<S, 1>(simd, weights, v, start, first, sixteen.as_chunks_mut().0);
                    first += 16;
                }
                for (row, &weight) in (start..).zip(weights) {
                    for (out, value) in tail.iter_mut().zip(&row_of(v, row)[first..]) {
                        *out = weight.mul_add(*value, *out);
                    }
                }
            }
        }
    }
}

/// `N` sixteens of columns stay in registers while the rows of one turn pass by.
#[inline(always)]
fn columns<S: Simd, const N: usize>(
    simd: S,
    weights: &[f32],
    v: ArrayView2<f32>,
    start: usize,
    first: usize,
    out: &mut [[f32; 16]],
) {
    let mut sums: [S::Lanes; N] = from_fn(|n| simd.load(&out[n]));
    for (row, &weight) in (start..).zip(weights) {
        let (values, _) = row_of(v, row)[first..].as_chunks::<16>();
        let weight = simd.load(&[weight; 16]);
        for n in 0..N {
            sums[n] = simd.mul_add(weight, simd.load(&values[n]), sums[n]);
        }
    }
    for n in 0..N {
        simd.store(sums[n], &mut out[n]);
    }
}
