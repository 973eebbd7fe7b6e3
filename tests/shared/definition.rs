//! What a product with weights in blocks is, written down as plainly as possible.

use ground::dtype::StoredType;
use half::f16;
use ndarray::{Array2, ArrayView2};

/// Weights that share a scale: each is `scale * integer - minimum`.
pub struct Group {
    pub scale: f32,
    pub minimum: Option<f32>,
    pub ints: Vec<i32>,
}

/// A row of x, each 32 numbers of which have become integers that share a scale.
pub struct RoundedRow {
    pub scales: Vec<f32>,
    pub ints: Vec<i32>,
}

/// Blocks of 32 numbers: the largest becomes 127 or -127.
pub fn round(x: &[f32]) -> RoundedRow {
    let mut row = RoundedRow { scales: Vec::new(), ints: Vec::new() };
    for block in x.chunks(32) {
        let mut largest = 0.0;
        for number in block {
            if !number.is_finite() {
                largest = f32::NAN;
            } else if number.abs() > largest {
                largest = number.abs();
            }
        }
        let scale = largest / 127.0;
        let inverse = 1.0 / scale;
        if largest.is_nan() {
            row.scales.push(f32::NAN); // with any integers the outputs are NaN
            row.ints.extend([0; 32]);
        } else if inverse.is_infinite() {
            row.scales.push(0.0);
            row.ints.extend([0; 32]);
        } else {
            row.scales.push(scale);
            row.ints.extend(block.iter().map(|x| (x * inverse).round_ties_even() as i32));
        }
    }
    row
}

fn f16_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// What the bytes of a block stand for.
pub fn groups(stored: StoredType, block: &[u8]) -> Vec<Group> {
    let numbers = stored.block_len();
    let in_a_group = if stored == StoredType::Q6_K { 16 } else { 32 };
    (0..numbers / in_a_group)
        .map(|group| {
            let (scale, minimum) = scale_and_minimum(stored, block, group);
            let places = group * in_a_group..(group + 1) * in_a_group;
            Group { scale, minimum, ints: places.map(|i| int(stored, block, i)).collect() }
        })
        .collect()
}

/// The integer at place `i` of a block.
fn int(stored: StoredType, block: &[u8], i: usize) -> i32 {
    let half_of = |byte: u8, high: bool| i32::from(if high { byte >> 4 } else { byte & 15 });
    match stored {
        StoredType::Q8_0 => i32::from(block[2 + i] as i8),
        StoredType::Q4_0 => half_of(block[2 + i % 16], i >= 16) - 8,
        StoredType::Q4_1 => half_of(block[4 + i % 16], i >= 16),
        // Sixty-four places share 32 bytes.
        StoredType::Q4_K => half_of(block[16 + i / 64 * 32 + i % 32], i % 64 >= 32),
        StoredType::Q5_K => {
            let low = half_of(block[48 + i / 64 * 32 + i % 32], i % 64 >= 32);
            let fifth = i32::from(block[16 + i % 32] >> (i / 32) & 1);
            low + 16 * fifth
        }
        StoredType::Q6_K => {
            let (half, place) = (i / 128, i % 128);
            let low = half_of(block[64 * half + place % 64], place >= 64);
            let high = block[128 + 32 * half + place % 32] >> (place / 32 * 2) & 3;
            low + 16 * i32::from(high) - 32
        }
        other => unreachable!("{} has no blocks", other.name()),
    }
}

fn scale_and_minimum(stored: StoredType, block: &[u8], group: usize) -> (f32, Option<f32>) {
    match stored {
        StoredType::Q8_0 | StoredType::Q4_0 => (f16_at(block, 0), None),
        StoredType::Q4_1 => (f16_at(block, 0), Some(-f16_at(block, 2))), // it is added
        StoredType::Q6_K => (f16_at(block, 208) * f32::from(block[192 + group] as i8), None),
        _ => {
            let packed = &block[4..16];
            let (scale, minimum) = if group < 4 {
                (packed[group] % 64, packed[group + 4] % 64)
            } else {
                let low = packed[group + 4];
                (
                    low % 16 + packed[group - 4] / 64 * 16, // the two bits that group - 4 left
                    low / 16 + packed[group] / 64 * 16,
                )
            };
            (f16_at(block, 0) * f32::from(scale), Some(f16_at(block, 2) * f32::from(minimum)))
        }
    }
}

/// All groups of a row of blocks.
pub fn row(stored: StoredType, blocks: &[u8]) -> Vec<Group> {
    blocks.chunks(stored.block_bytes()).flat_map(|block| groups(stored, block)).collect()
}

/// The rows of a weight. bytes: [columns, bytes of a row]
pub fn rows(stored: StoredType, bytes: &[u8], columns: usize) -> Vec<Vec<Group>> {
    let length = bytes.len() / columns.max(1);
    (0..columns).map(|column| row(stored, &bytes[column * length..][..length])).collect()
}

/// One output: a chain of fused multiply-adds, group after group.
pub fn dot(x: &RoundedRow, weight: &[Group]) -> f32 {
    let (mut out, mut place) = (0.0_f32, 0);
    for group in weight {
        let ints = &x.ints[place..place + group.ints.len()];
        let d = x.scales[place / 32];
        let products: i32 = group.ints.iter().zip(ints).map(|(w, q)| w * q).sum();
        out = (group.scale * d).mul_add(products as f32, out);
        if let Some(minimum) = group.minimum {
            let sum: i32 = ints.iter().sum();
            out = minimum.mul_add(-(d * sum as f32), out);
        }
        place += group.ints.len();
    }
    out
}

/// x: [rows, inner], bytes: [columns, bytes of a row] -> [rows, columns]
pub fn product(
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    let x: Vec<RoundedRow> = x.rows().into_iter().map(|row| round(&row.to_vec())).collect();
    let weight = rows(stored, bytes, columns);
    Array2::from_shape_fn((x.len(), columns), |(m, n)| dot(&x[m], &weight[n]))
}

impl Group {
    /// The weights as numbers.
    pub fn widened(&self) -> impl Iterator<Item = f32> {
        let minimum = self.minimum.unwrap_or_default();
        self.ints.iter().map(move |&int| self.scale * int as f32 - minimum)
    }
}
