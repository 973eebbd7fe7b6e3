//! Attention between queries, keys and values, against the formula in f64.

use ch00_naive_forward::attention::attend;
use ground::config::Config;
use ndarray::Array2;
use test_support::parts::{assert_near, numbers};
use test_support::qwen3_0_6b;

#[test]
fn each_query_sees_the_keys_up_to_its_own() {
    const ROWS: usize = 5;
    for (heads, kv_heads, head_dim) in [(1, 1, 2), (2, 1, 4), (6, 2, 8), (3, 3, 16)] {
        let config = Config { heads, kv_heads, head_dim, ..qwen3_0_6b() };
        let matrix = |seed, heads: usize| {
            let width = heads * head_dim;
            Array2::from_shape_vec((ROWS, width), numbers(seed, ROWS * width)).expect("rows")
        };
        let (q, k, v) = (matrix(1, heads), matrix(2, kv_heads), matrix(3, kv_heads));
        let found = attend(q.view(), k.view(), v.view(), &config);
        assert_eq!(found.dim(), q.dim(), "the shape of the result is that of q");
        for row in 0..ROWS {
            for head in 0..heads {
                let at = |x: &Array2<f32>, row, head: usize, i| {
                    f64::from(x[[row, head * head_dim + i]])
                };
                let kv_head = head / (heads / kv_heads);
                let fit = |key| {
                    let products =
                        (0..head_dim).map(|i| at(&q, row, head, i) * at(&k, key, kv_head, i));
                    (products.sum::<f64>() / (head_dim as f64).sqrt()).exp()
                };
                let fits: Vec<f64> = (0..=row).map(fit).collect();
                let mixed = |i| {
                    let values =
                        fits.iter().enumerate().map(|(key, fit)| fit * at(&v, key, kv_head, i));
                    (values.sum::<f64>() / fits.iter().sum::<f64>()) as f32
                };
                let expected: Vec<f32> = (0..head_dim).map(mixed).collect();
                let found = found.row(row).to_vec();
                let place =
                    format!("{heads} heads, {kv_heads} kv heads: row {row}, head {head}");
                assert_near(&found[head * head_dim..][..head_dim], &expected, &place);
            }
        }
    }
}
