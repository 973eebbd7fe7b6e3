//! Stored types that no engine computes with: another one holds the same numbers, to the bit, and a tensor is rewritten to
//! it when it is first asked for.

use std::array;
use std::sync::OnceLock;

use half::bf16;

use crate::dtype::StoredType;

/// How a tensor of such a type is rewritten, and what came of it.
pub(crate) struct Rewritten {
    /// The type that the file has, such as `Q5_0`.
    pub from: &'static str,
    /// The type that takes its place.
    pub into: StoredType,
    all_blocks: fn(&[u8]) -> Vec<u8>,
    done: OnceLock<Vec<u8>>,
}

impl Rewritten {
    /// The types that are rewritten.
    pub const NAMES: [&str; 4] = ["Q5_0", "IQ4_NL", "Q3_K", "MXFP4"];

    /// Nothing is rewritten yet; `None` for a type whose numbers no other type holds.
    pub fn of(name: &str) -> Option<Rewritten> {
        let from = Rewritten::NAMES.into_iter().find(|from| *from == name)?;
        let rewritten = |into, all_blocks| {
            Some(Rewritten { from, into, all_blocks, done: OnceLock::new() })
        };
        match from {
            "Q5_0" => rewritten(StoredType::Q8_0, |bytes| each_block(bytes, q5_0)),
            "IQ4_NL" => rewritten(StoredType::Q8_0, |bytes| each_block(bytes, iq4_nl)),
            "Q3_K" => rewritten(StoredType::Q6_K, |bytes| each_block(bytes, q3_k)),
            _ => rewritten(StoredType::BF16, |bytes| each_block(bytes, mxfp4)),
        }
    }

    /// A tensor's bytes in the new type, made from those of the file when they are first asked for.
    pub fn bytes(&self, stored: &[u8]) -> &[u8] {
        self.done.get_or_init(|| (self.all_blocks)(stored))
    }
}

fn each_block<const OLD: usize, const NEW: usize>(
    bytes: &[u8],
    rewrite: fn(&[u8; OLD]) -> [u8; NEW],
) -> Vec<u8> {
    bytes.as_chunks().0.iter().map(rewrite).collect::<Vec<_>>().into_flattened()
}

/// As `Q4_0`, with 32 fifth bits between the scale and the rest.
fn q5_0(block: &[u8; 22]) -> [u8; 34] {
    q8_0(block, |i| {
        let low_bits = half_byte(&block[6..], i);
        let high_bit = (block[2 + i / 8] >> (i % 8)) & 1;
        (low_bits | (high_bit << 4)) as i8 - 16
    })
}

/// As `Q4_0`, where the four bits choose one of sixteen integers: close together around zero, far apart at the ends.
fn iq4_nl(block: &[u8; 18]) -> [u8; 34] {
    const CHOICES: [i8; 16] =
        [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
    q8_0(block, |i| CHOICES[usize::from(half_byte(&block[2..], i))])
}

/// The same scale, and other integers.
fn q8_0(block: &[u8], integer: impl Fn(usize) -> i8) -> [u8; 34] {
    array::from_fn(|at| if at < 2 { block[at] } else { integer(at - 2) as u8 })
}

/// The low halves of 16 bytes are the first 16 numbers, the high halves the last 16.
fn half_byte(bytes: &[u8], i: usize) -> u8 {
    (bytes[i % 16] >> (i / 16 * 4)) & 15
}

/// Both have 16 groups with a scale each. There it has six bits, here eight; an integer has three there and six here.
fn q3_k(block: &[u8; 110]) -> [u8; 210] {
    let mut out = [0; 210];
    for i in 0..256 {
        let (half, group, at) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (block[32 + half * 32 + at] >> (group * 2)) & 3;
        let high_bit = (block[at] >> (i / 32)) & 1;
        let bits = (low_bits | (high_bit << 2)) + 28; // -4 to 3 there, and from -32 on here
        out[half * 64 + group % 2 * 32 + at] |= (bits & 15) << (group / 2 * 4);
        out[128 + half * 32 + at] |= (bits >> 4) << (group * 2);
    }
    for group in 0..16 {
        let low_bits = (block[96 + group % 8] >> (group / 8 * 4)) & 15;
        let high_bits = (block[104 + group % 4] >> (group / 4 * 2)) & 3;
        out[192 + group] = (low_bits | (high_bits << 4)).wrapping_sub(32);
    }
    out[208..].copy_from_slice(&block[108..]);
    out
}

/// Floats of four bits, and one byte that is the exponent of a power of two for all 32.
fn mxfp4(block: &[u8; 17]) -> [u8; 64] {
    const DOUBLED: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];
    let exponent = u32::from(block[0]);
    // Half of the power of two; the two smallest have no exponent of their own in an `f32`.
    let scale =
        f32::from_bits(if exponent < 2 { 1 << (21 + exponent) } else { (exponent - 1) << 23 });
    let numbers: [[u8; 2]; 32] = array::from_fn(|i| {
        let bits = half_byte(&block[1..], i);
        let size = DOUBLED[usize::from(bits & 7)];
        // A zero has no sign here.
        let number = if bits > 8 { -size } else { size };
        bf16::from_f32(scale * number).to_le_bytes()
    });
    numbers.as_flattened().try_into().expect("32 numbers of two bytes")
}
