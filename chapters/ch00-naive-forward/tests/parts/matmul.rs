//! Products, against sums in f64.

use ch00_naive_forward::matmul::matmul;
use ndarray::Array2;
use test_support::parts::{assert_near, numbers};

#[test]
fn every_row_of_x_meets_every_row_of_the_weight() {
    for (rows, columns, inner) in [(1, 1, 1), (1, 4, 3), (3, 1, 5), (2, 7, 16), (5, 3, 33)] {
        let x = Array2::from_shape_vec((rows, inner), numbers(1, rows * inner));
        let weight = Array2::from_shape_vec((columns, inner), numbers(2, columns * inner));
        let (x, weight) = (x.expect("rows"), weight.expect("rows"));
        let found = matmul(x.view(), weight.view());
        let place = format!("x [{rows}, {inner}], weight [{columns}, {inner}]");
        assert_eq!(found.dim(), (rows, columns), "{place}: the shape of the result");
        for (row, found) in found.rows().into_iter().enumerate() {
            let products = |column: usize| -> f64 {
                let pairs = x.row(row).into_iter().zip(weight.row(column));
                pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
            };
            let expected: Vec<f32> =
                (0..columns).map(|column| products(column) as f32).collect();
            assert_near(&found.to_vec(), &expected, &format!("{place}, row {row}"));
        }
    }
}
