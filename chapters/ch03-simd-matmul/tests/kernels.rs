//! The kernels of chapter 3 against their definition, bit for bit, in every backend of this CPU.

use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::exp::exp;
use ch03_simd_matmul::kernels::{Number, Scores, WeightedSums};
use ch03_simd_matmul::matmul::product;
use ch03_simd_matmul::simd::Scalar;
use ground::random::SplitMix64;
use half::{bf16, f16};
use ndarray::{Array2, ArrayView2, s};
use proptest::prelude::*;

/// The shape of every dot product, written down as plainly as possible.
fn dot<W: Copy + Into<f32>>(x: &[f32], weight: &[W]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for i in 0..x.len().next_multiple_of(16) {
        let (a, b) = if i < x.len() { (x[i], weight[i].into()) } else { (0.0, 0.0) };
        lanes[i % 16] = a.mul_add(b, lanes[i % 16]);
    }
    let eight: [f32; 8] = std::array::from_fn(|j| lanes[j] + lanes[j + 8]);
    let four: [f32; 4] = std::array::from_fn(|j| eight[j] + eight[j + 4]);
    let two: [f32; 2] = std::array::from_fn(|j| four[j] + four[j + 2]);
    two[0] + two[1]
}

/// All backends of this CPU, and plain Rust as on a CPU without fused multiply-add.
fn backends() -> Vec<Backend> {
    let mut backends = Backend::available();
    backends.push(Backend::Scalar(Scalar::without_fma()));
    backends
}

/// Equal bits; which of the many NaNs it is may differ.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn assert_product<W: Number + Into<f32>>(x: ArrayView2<f32>, weight: ArrayView2<W>) {
    let expected = Array2::from_shape_fn((x.nrows(), weight.nrows()), |(m, n)| {
        dot(&numbers_of(x, m), &numbers_of(weight, n))
    });
    for backend in backends() {
        let found = product(backend, x, weight);
        let what = format!("{backend:?}, {:?} x {:?}", x.dim(), weight.dim());
        assert_same(found.view(), expected.view(), &what);
    }
}

fn numbers_of<W: Copy>(x: ArrayView2<W>, row: usize) -> Vec<W> {
    x.row(row).to_slice().expect("a row lies in one piece").to_vec()
}

fn assert_same(found: ArrayView2<f32>, expected: ArrayView2<f32>, what: &str) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    for ((place, &found), &expected) in found.indexed_iter().zip(&expected) {
        assert!(
            same(found, expected),
            "{what}, output {place:?}: {found:e} instead of {expected:e}"
        );
    }
}

/// The same numbers as weights of every type.
fn assert_products(x: ArrayView2<f32>, weight: ArrayView2<f32>) {
    assert_product(x, weight);
    assert_product(x, weight.mapv(f16::from_f32).view());
    assert_product(x, weight.mapv(bf16::from_f32).view());
}

fn number(noise: &mut SplitMix64) -> f32 {
    noise.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
}

/// Numbers that hardware and software treat in special ways.
const ODD: [f32; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-40, // subnormal
    -1e-45,
    3e-6, // subnormal as f16
    65504.0,
    1e30,
    -1e30,
    f32::EPSILON,
];

#[test]
fn every_length() {
    let mut noise = SplitMix64::new(3);
    for inner in 0..=129 {
        for (rows, columns) in [(1, 1), (1, 5), (2, 3), (7, 13)] {
            let x = Array2::from_shape_fn((rows, inner), |_| number(&mut noise));
            let weight = Array2::from_shape_fn((columns, inner), |_| number(&mut noise));
            assert_products(x.view(), weight.view());
        }
    }
}

#[test]
fn every_number_of_rows_and_columns() {
    let mut noise = SplitMix64::new(4);
    for rows in 0..=14 {
        for columns in (0..=12).chain([47, 48, 49, 97, 100]) {
            let x = Array2::from_shape_fn((rows, 35), |_| number(&mut noise));
            let weight = Array2::from_shape_fn((columns, 35), |_| number(&mut noise));
            assert_product(x.view(), weight.view());
        }
    }
}

#[test]
fn no_rows_and_no_columns() {
    for (rows, columns) in [(0, 0), (0, 3), (3, 0), (1, 0)] {
        let (x, weight) = (Array2::ones((rows, 20)), Array2::<f32>::ones((columns, 20)));
        assert_product(x.view(), weight.view());
    }
}

/// Also what begins at an odd place in memory, and rows that are pieces of longer ones.
#[test]
fn unaligned_and_strided() {
    let mut noise = SplitMix64::new(5);
    let numbers: Vec<f32> = (0..9000).map(|_| number(&mut noise)).collect();
    let halves: Vec<f16> = numbers.iter().map(|&number| f16::from_f32(number)).collect();
    for offset in 0..17 {
        for inner in [15, 16, 33, 100] {
            let x = ArrayView2::from_shape((3, inner), &numbers[offset..][..3 * inner]);
            let x = x.expect("three rows");
            let weight =
                ArrayView2::from_shape((9, inner), &numbers[1000 + offset..][..9 * inner]);
            assert_product(x, weight.expect("nine rows"));
            let weight =
                ArrayView2::from_shape((9, inner), &halves[1000 + offset..][..9 * inner]);
            assert_product(x, weight.expect("nine rows"));
        }
        let wide = ArrayView2::from_shape((10, 300), &numbers[..3000]).expect("ten rows");
        let piece = wide.slice(ndarray::s![.., offset..offset + 100]);
        assert_product(piece.slice(ndarray::s![..3, ..]), piece);
        assert_product(piece.slice(ndarray::s![..1, ..]), piece);
    }
}

#[test]
fn odd_numbers_in_every_lane() {
    for (index, &a) in ODD.iter().enumerate() {
        for &b in &ODD[index..] {
            for lane in [0, 7, 8, 15, 16, 31, 32, 34] {
                let mut x = Array2::from_elem((2, 35), 0.5);
                let mut weight = Array2::from_elem((7, 35), 0.25);
                x[[1, lane]] = a;
                weight[[3, lane]] = b;
                assert_products(x.view(), weight.view());
            }
        }
    }
}

/// Sums whose result depends on the order and on every rounding.
#[test]
fn cancellation() {
    let mut noise = SplitMix64::new(6);
    for inner in [16, 64, 100, 129] {
        let large = |i: usize| if i.is_multiple_of(2) { 1e8 } else { -1e8 };
        let x = Array2::from_shape_fn((7, inner), |(_, i)| {
            large(i / 3) * (1.0 + number(&mut noise))
        });
        let weight = Array2::from_shape_fn((9, inner), |(_, i)| large(i) + number(&mut noise));
        assert_products(x.view(), weight.view());
    }
}

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

#[test]
fn exp_is_at_most_two_units_off() {
    for x in (-86_990_i32..87_990).map(|thousandth| thousandth as f32 / 1000.0) {
        let expected = f64::from(x).exp();
        let found = exp(x);
        let unit = f64::from(found.next_up() - found);
        assert!(
            (f64::from(found) - expected).abs() < 2.0 * unit,
            "exp({x}) is {found}, not {expected}"
        );
    }
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(exp(-0.0), 1.0);
    assert!(exp(f32::NAN).is_nan());
    assert!((0.0..1e-37).contains(&exp(f32::NEG_INFINITY)));
    assert!(exp(f32::INFINITY) > 1e38);
}

/// Any bits at all.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -2.0_f32..2.0,
        1 => any::<u32>().prop_map(f32::from_bits),
        1 => proptest::sample::select(&ODD[..]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_product(
        (rows, columns, inner, numbers) in (1_usize..9, 1_usize..11, 0_usize..70).prop_flat_map(
            |(rows, columns, inner)| {
                let numbers = proptest::collection::vec(any_number(), (rows + columns) * inner);
                (Just(rows), Just(columns), Just(inner), numbers)
            }
        )
    ) {
        let (x, weight) = numbers.split_at(rows * inner);
        let x = ArrayView2::from_shape((rows, inner), x).expect("rows times inner");
        let weight = ArrayView2::from_shape((columns, inner), weight).expect("columns times inner");
        assert_products(x, weight);
    }
}

#[test]
fn an_unavailable_backend_is_an_error_that_lists_what_there_is() {
    let missing = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    let message = Backend::choose(missing).expect_err("the other kind of CPU").to_string();
    assert!(message.contains(missing) && message.contains("scalar"), "{message}");
    for backend in Backend::available() {
        assert!(message.contains(backend.name()), "{message}");
        assert_eq!(
            Backend::choose(backend.name()).expect("it is there").name(),
            backend.name()
        );
    }
}

#[test]
fn auto_takes_the_last_of_the_available() {
    let last = Backend::available().pop().expect("scalar at least");
    assert_eq!(Backend::choose("auto").expect("there is always one").name(), last.name());
}
