use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2, s};

use crate::compute::ComputeContext;

/// Scales one vector to a root mean square of 1, then each number by its own weight.
/// x: [width], weight: [width]
pub fn rms_norm(x: &mut [f32], weight: ArrayView1<f32>, eps: f32) {
    assert_eq!(x.len(), weight.len(), "vector and norm weight differ in length");
    let mut sum_of_squares = 0.0;
    for value in x.iter() {
        sum_of_squares += value * value;
    }
    let scale = 1.0 / (sum_of_squares / x.len() as f32 + eps).sqrt();
    for (value, weight) in x.iter_mut().zip(weight) {
        *value = *value * scale * weight;
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
    compute.par_rows(out.view_mut(), |these, mut rows| {
        rows.assign(&x.slice(s![these, ..]));
        for mut row in rows.rows_mut() {
            rms_norm(row.as_slice_mut().expect("a row lies in one piece"), weight, eps);
        }
    });
    out
}

/// The norm of every head of every row, in place: all heads share one weight.
/// x: [rows, heads * head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut ArrayViewMut2<f32>, weight: ArrayView1<f32>, eps: f32) {
    for mut row in x.rows_mut() {
        let row = row.as_slice_mut().expect("a row lies in one piece");
        for head in row.chunks_exact_mut(weight.len()) {
            rms_norm(head, weight, eps);
        }
    }
}
