use ndarray::{ArrayView2, ArrayViewMut2};

use ch08_f16_cache::simd::{Kernel, Simd};

/// Turns number 2i of every head against number 2i + 1. x: [rows, heads * head_dim], angles: [rows, head_dim], the cosines
/// in the first half, the sines in the second
pub struct Neighbours<'a> {
    pub x: ArrayViewMut2<'a, f32>,
    pub angles: ArrayView2<'a, f32>,
}

impl Kernel for Neighbours<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Neighbours { mut x, angles } = self;
        for (mut row, angles) in x.rows_mut().into_iter().zip(angles.rows()) {
            let row = row.as_slice_mut().expect("a row lies in one piece");
            let angles = angles.to_slice().expect("a row lies in one piece");
            let (cos, sin) = angles.split_at(angles.len() / 2);
            for head in row.chunks_exact_mut(angles.len()) {
                for (([a, b], cos), sin) in head.as_chunks_mut().0.iter_mut().zip(cos).zip(sin)
                {
                    (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
                }
            }
        }
    }
}
