//! What becomes of x: integers from -127 to 127, their sums, and a scale for each 32. Each chapter says what else its groups
//! hold.

use super::common::*;
use super::engine::backend::Backend;
use super::engine::kernels::{Group, Round};
use super::{Held, definition};
use ndarray::{Array2, ArrayView2, arr2};
use proptest::prelude::*;

/// The groups of all rows of x, rounded by this backend: a vector for each row.
fn rounded(backend: Backend, x: ArrayView2<f32>) -> Vec<Vec<Group>> {
    let mut groups = vec![Group::used(); x.len() / 32];
    backend.run(Round { x, out: &mut groups });
    groups.chunks((x.ncols() / 32).max(1)).map(<[Group]>::to_vec).collect()
}

fn ints(group: &Group) -> Vec<i32> {
    group.ints.as_flattened().iter().map(|byte| i32::from(*byte as i8)).collect()
}

/// Every backend rounds as the definition says, and its sums are those of its integers.
fn assert_rounded(x: ArrayView2<f32>) {
    for backend in backends() {
        let found = rounded(backend, x);
        for (index, row) in x.rows().into_iter().enumerate() {
            let expected = definition::round(&row.to_vec());
            let found = &found[index];
            assert_eq!(found.len(), expected.scales.len(), "{backend:?}");
            for (place, group) in found.iter().enumerate() {
                let numbers = row.slice(ndarray::s![32 * place..32 * (place + 1)]);
                let what = format!("{backend:?}, row {index}, group {place}: {numbers:?}");
                let (scale, ints) = (expected.scales[place], ints(group));
                assert!(
                    same(group.scale, scale),
                    "{what}: {:e} instead of {scale:e}",
                    group.scale
                );
                assert_eq!(ints, &expected.ints[32 * place..][..32], "{what}");
                assert!(ints.iter().all(|int| (-127..=127).contains(int)), "{what}: {ints:?}");
                let sums: [i32; 2] = [ints[..16].iter().sum(), ints[16..].iter().sum()];
                assert_eq!(group.sums, sums, "{what}");
                group.assert_derived(&what);
            }
        }
    }
}

/// A row of blocks that begin with `largest`, in which all other numbers are.
fn blocks_of(largest: f32, numbers: &[f32]) -> Array2<f32> {
    let mut row = Vec::new();
    for numbers in numbers.chunks(31) {
        row.push(largest);
        row.extend(numbers);
        row.resize(row.len().next_multiple_of(32), 0.0);
    }
    Array2::from_shape_vec((1, row.len()), row).expect("one row")
}

/// Halfway between two integers the even one is taken: by these numbers, not only by the definition.
#[test]
fn ties_go_to_even() {
    let below: Vec<i32> = (-127..127).collect();
    let ties: Vec<f32> = below.iter().map(|&int| int as f32 + 0.5).collect();
    for power in -120..=120 {
        let unit = 2.0_f32.powi(power);
        let x = blocks_of(127.0, &ties) * unit;
        for backend in backends() {
            let found = rounded(backend, x.view());
            for (group, below) in found[0].iter().zip(below.chunks(31)) {
                assert_eq!(group.scale, unit, "{backend:?}");
                for (int, below) in ints(group)[1..].iter().zip(below) {
                    let even = if below % 2 == 0 { *below } else { below + 1 };
                    assert_eq!(*int, even, "{backend:?}, {below} and a half, times {unit:e}");
                }
            }
        }
    }
    let beside: Vec<f32> =
        ties.iter().flat_map(|tie| [tie.next_down(), tie.next_up()]).collect();
    assert_rounded(blocks_of(127.0, &beside).view());
    assert_rounded(blocks_of(-127.0, &beside).view());
}

#[test]
fn zeros_have_no_scale() {
    let mut x = Array2::zeros((3, 64));
    x.row_mut(1).fill(-0.0);
    x[[2, 33]] = 5.0; // the first block is still zeros
    assert_rounded(x.view());
    for backend in backends() {
        let found = rounded(backend, x.view());
        for group in [&found[0][..], &found[1], &found[2][..1]].into_iter().flatten() {
            assert_eq!((group.scale.to_bits(), group.sums), (0, [0, 0]), "{backend:?}");
            assert_eq!(ints(group), [0; 32], "{backend:?}");
        }
    }
}

/// So small that nothing can be divided by the scale: these count as zeros. From a certain size on, they do not.
#[test]
fn the_smallest_numbers() {
    // Where the inverse of a scale becomes infinite: beyond the largest number, half a step more.
    let edge = (127.0 * 2.0_f64.powi(-128)) as f32;
    for bits in [0, 1, 2, 127, 190, 1000, 0x7F_FFFF, 0x80_0000, edge.to_bits()] {
        for near in -40..=40 {
            let largest = f32::from_bits(bits.saturating_add_signed(near));
            let parts = [1.0, 0.5, -0.75, 0.003_95, -1.0, 0.0].map(|part| part * largest);
            assert_rounded(blocks_of(largest, &parts).view());
        }
    }
    for backend in backends() {
        let scale = |largest| rounded(backend, blocks_of(largest, &[0.0]).view())[0][0].scale;
        assert_eq!(scale(3e-37), 0.0, "{backend:?}");
        assert!(scale(4e-37) > 0.0, "{backend:?}");
    }
}

#[test]
fn one_that_is_huge_among_tiny_ones() {
    for huge in [f32::MAX, f32::MIN, 1e30, -1e9] {
        let x = blocks_of(huge, &[1e-40, -1e-45, 1.0, -3.0, f32::MIN_POSITIVE]);
        assert_rounded(x.view());
        for backend in backends() {
            let found = rounded(backend, x.view());
            let mut expected = [0; 32];
            expected[0] = if huge > 0.0 { 127 } else { -127 };
            assert_eq!(ints(&found[0][0]), expected, "{backend:?}");
        }
    }
}

/// The integers of a block are a matter of this block alone.
#[test]
fn whole_numbers_come_through() {
    let small = Array2::from_shape_fn((4, 96), |(row, i)| {
        if i % 32 == row { 127.0 } else { ((i * 37 + row * 11) % 255) as f32 - 127.0 }
    });
    assert_rounded(small.view());
    for backend in backends() {
        let found = rounded(backend, small.view());
        for (row, numbers) in small.rows().into_iter().enumerate() {
            let found: Vec<f32> =
                found[row].iter().flat_map(ints).map(|int| int as f32).collect();
            assert_eq!(found, numbers.to_vec(), "{backend:?}");
        }
    }
    assert_rounded(arr2(&[[0.1; 32], [-7e20; 32]]).view());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_numbers(
        numbers in (1_usize..4).prop_flat_map(|groups| {
            proptest::collection::vec(any_number(), 2 * 32 * groups)
        })
    ) {
        let x = ArrayView2::from_shape((2, numbers.len() / 2), &numbers).expect("two rows");
        assert_rounded(x);
    }

    /// Finite, of any size.
    #[test]
    fn any_finite_numbers(
        bits in proptest::collection::vec(any::<u32>(), 32), size in 0_i32..254
    ) {
        // Exponents up to eight below the largest one.
        let number = |bits: &u32| {
            let exponent = (size - (bits >> 23 & 7) as i32).max(0) as u32;
            f32::from_bits(bits & 0x807F_FFFF | exponent << 23)
        };
        let numbers: Vec<f32> = bits.iter().map(number).collect();
        assert_rounded(ArrayView2::from_shape((1, 32), &numbers).expect("one row"));
    }
}
