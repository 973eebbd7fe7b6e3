use ndarray::{ArrayView2, ArrayViewMut2};

use super::gemv::{Gemv, gemv};
use super::number::Number;
use super::rows::{Aligned, rows_mut};
use super::tile::LARGE_TILE;
use super::tiles::tiles;
use crate::simd::{Kernel, Simd};

/// x times weight transposed. x: [rows, inner], weight: [columns, inner], out: [rows, columns]
pub struct Product<'a, W> {
    pub x: &'a Aligned,
    pub weight: ArrayView2<'a, W>,
    pub out: ArrayViewMut2<'a, f32>,
}

impl<W: Number> Kernel for Product<'_, W> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Product { x, weight, mut out } = self;
        if out.nrows() == 1 {
            let lone = rows_mut(&mut out).map(|out| Gemv { x: x.row(0), weight, out });
            gemv::<S, W, 4>(simd, weight.nrows(), lone);
        } else if S::REGISTER_SETS >= LARGE_TILE {
            tiles::<S, W, 6, 4>(simd, x, weight, out);
        } else {
            tiles::<S, W, 3, 2>(simd, x, weight, out);
        }
    }
}
