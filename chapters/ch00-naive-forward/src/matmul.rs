use ndarray::{Array2, ArrayView2};

/// Multiplies every row of `x` with every row of `weight`: x times weight transposed.
/// x: [rows, inner], weight: [columns, inner] -> [rows, columns]
pub fn matmul(x: ArrayView2<f32>, weight: ArrayView2<f32>) -> Array2<f32> {
    assert_eq!(x.ncols(), weight.ncols(), "rows of x and of the weight differ in length");
    let mut out = Array2::zeros((x.nrows(), weight.nrows()));
    for (row, x_row) in x.rows().into_iter().enumerate() {
        for (column, weight_row) in weight.rows().into_iter().enumerate() {
            let mut sum = 0.0;
            for (a, b) in x_row.iter().zip(weight_row) {
                sum += a * b;
            }
            out[[row, column]] = sum;
        }
    }
    out
}
