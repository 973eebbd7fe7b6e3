use ndarray::{ArrayView2, ArrayViewMut2};

use super::gemv::{Gemv, gemv};
use super::rows::{Aligned, rows_mut};
use crate::simd::{Kernel, Simd};

/// How well a lone query fits every key. All its heads take their stretches of a row of keys before
/// the next row comes, so that the keys are read from end to end.
/// q: [heads, head_dim], k: for each head [keys, head_dim], out: [heads, keys]
pub struct Scores<'a> {
    pub q: ArrayView2<'a, f32>,
    pub k: &'a [ArrayView2<'a, f32>],
    pub out: ArrayViewMut2<'a, f32>,
}

impl Kernel for Scores<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Scores { q, k, mut out } = self;
        let (q, keys) = (Aligned::copy(q), out.ncols());
        let heads = rows_mut(&mut out).enumerate();
        let heads = heads.map(|(head, out)| Gemv { x: q.row(head), weight: k[head], out });
        gemv::<S, f32, 4>(simd, keys, heads);
    }
}
