//! The kernels of attention against their definition, bit for bit, in every backend of this CPU.

mod definition;

use ch03_simd_matmul as engine;

use ch03_simd_matmul::kernels::{Scores, WeightedSums};
use definition::common::{assert_same, backends, number};
use definition::{dot, numbers_of};
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2, s};

/// How the heads of a query share keys and values: kv heads, and how many heads each of them serves.
const SHARED: [(usize, usize); 6] = [(1, 1), (1, 3), (3, 1), (2, 2), (3, 4), (8, 2)];

/// What each head sees of rows that hold a stretch for each kv head.
fn of_heads<'a>(
    rows: &'a Array2<f32>,
    (kv_heads, heads_per_kv_head): (usize, usize),
) -> Vec<ArrayView2<'a, f32>> {
    let width = rows.ncols() / kv_heads;
    let stretch = |kv_head| rows.slice(s![.., kv_head * width..(kv_head + 1) * width]);
    (0..kv_heads * heads_per_kv_head).map(|head| stretch(head / heads_per_kv_head)).collect()
}

#[test]
fn scores() {
    let mut noise = SplitMix64::new(8);
    for shared in SHARED {
        let heads = shared.0 * shared.1;
        for head_dim in [0, 1, 15, 16, 33, 64] {
            for keys in [0, 1, 2, 3, 4, 5, 9, 16] {
                let mut numbers =
                    |rows, width| Array2::from_shape_fn((rows, width), |_| number(&mut noise));
                let (q, k) = (numbers(heads, head_dim), numbers(keys, shared.0 * head_dim));
                let k = of_heads(&k, shared);
                let expected = Array2::from_shape_fn((heads, keys), |(head, key)| {
                    dot(&numbers_of(q.view(), head), &numbers_of(k[head], key))
                });
                for backend in backends() {
                    // Every output is written, whatever stood there.
                    let mut found = Array2::from_elem((heads, keys), f32::NAN);
                    backend.run(Scores { q: q.view(), k: &k, out: found.view_mut() });
                    let what = format!("{backend:?}, {shared:?}, {keys} keys of {head_dim}");
                    assert_same(found.view(), expected.view(), &what);
                }
            }
        }
    }
}

#[test]
fn weighted_sums() {
    let mut noise = SplitMix64::new(7);
    for shared in SHARED {
        for width in (0..=129).step_by(3) {
            for count in [0, 1, 2, 17] {
                let values =
                    Array2::from_shape_fn((count, shared.0 * width), |_| number(&mut noise));
                let v = of_heads(&values, shared);
                // Each output sees some of the first rows, the last one sees them all.
                let seen = |m: usize| count - (count / 2).min(v.len() - 1 - m);
                let weights: Vec<Vec<f32>> = (0..v.len())
                    .map(|m| (0..seen(m)).map(|_| number(&mut noise)).collect())
                    .collect();
                let weights: Vec<&[f32]> = weights.iter().map(Vec::as_slice).collect();
                let mut expected = Array2::<f32>::zeros((v.len(), width));
                for ((m, column), sum) in expected.indexed_iter_mut() {
                    for (row, weight) in weights[m].iter().enumerate() {
                        *sum = weight.mul_add(v[m][[row, column]], *sum);
                    }
                }
                for backend in backends() {
                    let mut found = Array2::zeros((v.len(), width));
                    let (weights, v) = (&weights, &v);
                    backend.run(WeightedSums { weights, v, out: found.view_mut() });
                    let what = format!("{backend:?}, {shared:?}, {count} rows of {width}");
                    assert_same(found.view(), expected.view(), &what);
                }
            }
        }
    }
}
