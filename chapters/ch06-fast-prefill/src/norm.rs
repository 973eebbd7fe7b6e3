use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};

use crate::compute::ComputeContext;
use crate::kernels::{padded, rows_mut};
use crate::profile::{Cost, timed};
use crate::simd::{Kernel, Simd};

/// Scales vectors to a root mean square of 1, then each number by its own weight.
/// rows: [rows, vectors * width], weight: [width]
pub struct Norm<'a> {
    pub rows: ArrayViewMut2<'a, f32>,
    pub weight: ArrayView1<'a, f32>,
    pub eps: f32,
}

impl Kernel for Norm<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Norm { mut rows, weight, eps } = self;
        let weight = weight.to_slice().expect("it lies in one piece");
        for row in rows_mut(&mut rows) {
            assert!(
                row.len().is_multiple_of(weight.len()),
                "vector and norm weight differ in length"
            );
            for vector in row.chunks_exact_mut(weight.len()) {
                // A dot product of the vector with itself.
                let mut squares = simd.load(&[0.0; 16]);
                let (sixteens, tail) = vector.as_chunks::<16>();
                for sixteen in sixteens {
                    let numbers = simd.load(sixteen);
                    squares = simd.mul_add(numbers, numbers, squares);
                }
                if !tail.is_empty() {
                    let numbers = simd.load(&padded(tail));
                    squares = simd.mul_add(numbers, numbers, squares);
                }
                let scale = 1.0 / (simd.sum(squares) / vector.len() as f32 + eps).sqrt();
                for (value, weight) in vector.iter_mut().zip(weight) {
                    *value = *value * scale * weight;
                }
            }
        }
    }
}

/// The norm of every row, in a new matrix. x: [rows, width] -> [rows, width]
pub fn rms_norm_rows(
    compute: &ComputeContext,
    x: ArrayView2<f32>,
    weight: ArrayView1<f32>,
    eps: f32,
) -> Array2<f32> {
    let mut out = compute.buffers.take(x.dim());
    timed("norms of rows", Cost::default(), || {
        compute.par_rows(out.view_mut(), |these, mut rows| {
            // Row by row: what was copied is still close to the core.
            let rows = rows.axis_chunks_iter_mut(Axis(0), 1);
            for (mut row, x) in rows.zip(x.slice(s![these, ..]).axis_chunks_iter(Axis(0), 1)) {
                row.assign(&x);
                compute.backend.run(Norm { rows: row, weight, eps });
            }
        });
    });
    out
}
