//! The products of chapter 3 against their definition, bit for bit, in every backend of this CPU.

mod definition;

use ch03_simd_matmul as engine;

use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::kernels::Number;
use ch03_simd_matmul::matmul::product;
use definition::common::{ODD, any_number, assert_same, backends, number};
use definition::{dot, numbers_of};
use ground::random::SplitMix64;
use half::{bf16, f16};
use ndarray::{Array2, ArrayView2};
use proptest::prelude::*;

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

/// The same numbers as weights of every type.
fn assert_products(x: ArrayView2<f32>, weight: ArrayView2<f32>) {
    assert_product(x, weight);
    assert_product(x, weight.mapv(f16::from_f32).view());
    assert_product(x, weight.mapv(bf16::from_f32).view());
}

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
