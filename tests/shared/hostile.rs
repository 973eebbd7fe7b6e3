//! Blocks and numbers that no quantiser writes, but a file can hold.

use half::f16;
use ndarray::Array2;
use proptest::prelude::*;

use super::products::assert_product;
use super::*;

/// Zeros, subnormals, the smallest normal, ones, the largest, infinities, NaNs of both kinds; with both signs.
const SCALES: [u16; 18] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400, 0x8400, 0x3C00, 0xBC00, 0x7BFF,
    0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7D00, 0xFD01,
];

/// Rows of x whose scale is 1 and whose integers are as large as they can be: all of one sign, and in patterns.
pub fn largest_x(inner: usize) -> Array2<f32> {
    Array2::from_shape_fn((7, inner), |(row, i)| match row {
        0 => 127.0,
        1 => -127.0,
        2 if i.is_multiple_of(2) => 127.0,
        3 if i % 4 < 2 => 127.0,
        4 if i % 16 < 8 => 127.0,
        5 if i % 32 < 16 => 127.0,
        6 => 127.0 - (i % 32) as f32 * 8.0,
        _ => -127.0,
    })
}

/// A column for each byte: all integers of it are this byte, and where scales are packed, those as well.
#[test]
fn every_byte_with_the_largest_x() {
    for stored in TYPES {
        let mut bytes = Vec::new();
        for byte in 0..=255 {
            for scale in [f16::ONE, f16::NEG_ONE] {
                let mut block = vec![byte; stored.block_bytes()];
                for &at in places_of_scales(stored) {
                    set_scale(&mut block, at, scale);
                }
                bytes.extend(block);
            }
        }
        assert_product(largest_x(2 * stored.block_len()).view(), stored, &bytes, 256);
    }
}

/// Every scale, and where there are two, every pair of them.
#[test]
fn every_odd_scale() {
    let mut noise = SplitMix64::new(60);
    for stored in TYPES {
        let mut bytes = Vec::new();
        let pairs = SCALES.iter().flat_map(|first| SCALES.map(|second| [*first, second]));
        for pair in pairs {
            // A block with such scales, between others that are as usual.
            let mut row = random_blocks(&mut noise, stored, 3);
            let block = &mut row[stored.block_bytes()..];
            for (&at, bits) in places_of_scales(stored).iter().zip(pair) {
                set_scale(block, at, f16::from_bits(bits));
            }
            bytes.extend(row);
        }
        let columns = SCALES.len() * SCALES.len();
        let mut x = numbers(&mut noise, 6, 3 * stored.block_len());
        x.row_mut(4).fill(0.0);
        x.row_mut(5).fill(f32::MAX);
        assert_product(x.view(), stored, &bytes, columns);
    }
}

/// No integer stands for these: all outputs of the row are NaN, whatever the weights. Those of other rows are not.
#[test]
fn what_is_not_finite_spoils_its_row() {
    let mut noise = SplitMix64::new(70);
    let not_finite = [
        f32::NAN,
        -f32::NAN,
        f32::from_bits(0x7F80_0001), // signalling
        f32::INFINITY,
        f32::NEG_INFINITY,
    ];
    for stored in TYPES {
        let (inner, columns) = (2 * stored.block_len(), 5);
        let mut bytes = random_blocks(&mut noise, stored, 2 * columns);
        bytes[..2 * stored.block_bytes()].fill(0); // all weights of the first column are zero
        for (index, odd) in not_finite.into_iter().enumerate() {
            for place in (index % 3..inner).step_by(3) {
                let mut x = numbers(&mut noise, 6, inner);
                x[[2, place]] = odd; // one of four that are worked off together
                x[[5, place]] = odd; // one that is alone
                for backend in Backend::available() {
                    let found = product(backend, x.view(), stored, &bytes, columns);
                    for ((row, column), number) in found.indexed_iter() {
                        let spoilt = row == 2 || row == 5;
                        assert_eq!(
                            number.is_nan(),
                            spoilt,
                            "{backend:?}, {}, {odd} at {place}: output {row}, {column} is {number}",
                            stored.name()
                        );
                    }
                }
            }
        }
    }
}

/// Bytes with some more zeros and ones than chance gives.
fn any_byte() -> impl Strategy<Value = u8> {
    prop_oneof![6 => any::<u8>(), 1 => proptest::sample::select(&[0, 0xFF, 0x80, 0x7F, 0x7C][..])]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_product(
        (stored, rows, columns, x, bytes) in (
            proptest::sample::select(&TYPES[..]), 1_usize..8, 1_usize..20, 1_usize..4
        ).prop_flat_map(
            |(stored, rows, columns, blocks)| (
                Just(stored),
                Just(rows),
                Just(columns),
                proptest::collection::vec(any_number(), rows * blocks * stored.block_len()),
                proptest::collection::vec(any_byte(), columns * blocks * stored.block_bytes()),
            )
        )
    ) {
        let x = Array2::from_shape_vec((rows, x.len() / rows), x).expect("rows of one length");
        assert_product(x.view(), stored, &bytes, columns);
    }
}
