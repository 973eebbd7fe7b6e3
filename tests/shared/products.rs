//! Products of every shape.

use ndarray::{Array2, ArrayView2, s};

use super::*;

/// Every backend gives what the definition says.
pub fn assert_product(x: ArrayView2<f32>, stored: StoredType, bytes: &[u8], columns: usize) {
    let expected = definition::product(x, stored, bytes, columns);
    for backend in backends() {
        let found = product(backend, x, stored, bytes, columns);
        let what = format!("{backend:?}, {:?} x {columns} of {}", x.dim(), stored.name());
        assert_same(found.view(), expected.view(), &what);
    }
}

/// Each output depends only on its own row and column: so the definition is asked once, and every shape is a corner of
/// what it says.
fn assert_corners(
    noise: &mut SplitMix64,
    stored: StoredType,
    blocks: usize,
    all_rows: &[usize],
    all_columns: &[usize],
) {
    let most = |counts: &[usize]| counts.iter().copied().max().expect("some count");
    let x = numbers(noise, most(all_rows), blocks * stored.block_len());
    let bytes = random_blocks(noise, stored, most(all_columns) * blocks);
    let expected = definition::product(x.view(), stored, &bytes, most(all_columns));
    for backend in backends() {
        for &rows in all_rows {
            for &columns in all_columns {
                let bytes = &bytes[..columns * blocks * stored.block_bytes()];
                let found = product(backend, x.slice(s![..rows, ..]), stored, bytes, columns);
                let what = format!(
                    "{backend:?}, {}: {rows} rows, {columns} columns, {blocks} blocks",
                    stored.name()
                );
                assert_same(found.view(), expected.slice(s![..rows, ..columns]), &what);
            }
        }
    }
}

#[test]
fn every_number_of_rows_and_columns() {
    let mut noise = SplitMix64::new(50);
    let rows: Vec<usize> = (1..=17).chain([33]).collect();
    let columns: Vec<usize> = (1..=40).chain([47, 63, 97, 101]).collect();
    for stored in TYPES {
        assert_corners(&mut noise, stored, 1, &rows, &columns);
    }
}

#[test]
fn every_number_of_blocks() {
    let mut noise = SplitMix64::new(51);
    for stored in TYPES {
        for blocks in 1..=9 {
            assert_corners(&mut noise, stored, blocks, &[1, 3, 4, 6, 9], &[1, 15, 16, 17, 33]);
        }
    }
}

#[test]
fn no_rows_no_columns_and_no_blocks() {
    for stored in TYPES {
        for (rows, columns, blocks) in
            [(0, 0, 0), (0, 3, 1), (3, 0, 1), (1, 0, 0), (2, 3, 0), (5, 17, 0)]
        {
            let x = Array2::ones((rows, blocks * stored.block_len()));
            let bytes = vec![1; columns * blocks * stored.block_bytes()];
            assert_product(x.view(), stored, &bytes, columns);
        }
    }
}

/// Blocks have no alignment: a file may have them at any place. Rows of x may be pieces of longer ones.
#[test]
fn unaligned_and_strided() {
    let mut noise = SplitMix64::new(52);
    for stored in TYPES {
        let inner = 2 * stored.block_len();
        let row_bytes = 2 * stored.block_bytes();
        let wide = numbers(&mut noise, 5, inner + 17);
        let block_bytes = random_blocks(&mut noise, stored, 2 * 18);
        for offset in 0..17 {
            // The same blocks, at another place.
            let mut bytes = vec![0xA5; offset];
            bytes.extend(&block_bytes);
            bytes.extend([0x5A; 64]);
            let bytes = &bytes[offset..][..18 * row_bytes];
            assert_product(wide.slice(s![.., offset..offset + inner]), stored, bytes, 18);
            assert_product(
                wide.slice(s![2..3, offset..offset + inner]),
                stored,
                &bytes[..5 * row_bytes],
                5,
            );
        }
    }
}
