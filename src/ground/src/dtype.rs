//! How a GGUF file stores numbers, and how each way is widened to `f32`.
//!
//! The quantised types store blocks: a few shared scales and one small integer per number. Each
//! formula multiplies and subtracts in the reference implementation's order, so that the
//! results are equal to the bit.

use half::{bf16, f16};

/// How one tensor's numbers are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types)] // the names the format gives them
pub enum StoredType {
    /// 32-bit floats.
    F32,
    /// 16-bit floats: 5 bits of exponent, 10 of fraction.
    F16,
    /// The upper half of a 32-bit float: 8 bits of exponent, 7 of fraction.
    BF16,
    /// Blocks of 32: one scale, then 8-bit integers.
    Q8_0,
    /// Blocks of 32: one scale, then 4-bit integers from -8 to 7.
    Q4_0,
    /// Blocks of 32: a scale and a minimum, then 4-bit integers from 0 to 15.
    Q4_1,
    /// Blocks of 256: 8 groups with a scale and a minimum each, 4-bit integers.
    Q4_K,
    /// As `Q4_K`, with 5-bit integers.
    Q5_K,
    /// Blocks of 256: 16 groups with a scale each, 6-bit integers from -32 to 31.
    Q6_K,
}

use StoredType::*;

impl StoredType {
    /// Every type that can be read.
    pub const ALL: [StoredType; 9] = [F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K, Q5_K, Q6_K];

    /// The name the format gives this type, such as `Q8_0`.
    pub fn name(self) -> &'static str {
        match self {
            F32 => "F32",
            F16 => "F16",
            BF16 => "BF16",
            Q8_0 => "Q8_0",
            Q4_0 => "Q4_0",
            Q4_1 => "Q4_1",
            Q4_K => "Q4_K",
            Q5_K => "Q5_K",
            Q6_K => "Q6_K",
        }
    }

    /// The type of this name, in upper or lower case; `None` for a type that cannot be read.
    pub fn from_name(name: &str) -> Option<StoredType> {
        StoredType::ALL.into_iter().find(|stored| stored.name().eq_ignore_ascii_case(name))
    }

    /// How many numbers one block holds; 1 where each number stands alone.
    pub fn block_len(self) -> usize {
        match self {
            F32 | F16 | BF16 => 1,
            Q8_0 | Q4_0 | Q4_1 => 32,
            Q4_K | Q5_K | Q6_K => 256,
        }
    }

    /// How many bytes one block takes.
    pub fn block_bytes(self) -> usize {
        match self {
            F32 => 4,
            F16 | BF16 => 2,
            Q8_0 => 2 + 32,            // scale, integers
            Q4_0 => 2 + 16,            // scale, two integers per byte
            Q4_1 => 2 + 2 + 16,        // the same with a minimum
            Q4_K => 4 + 12 + 128,      // scales of scales and minima, packed scales, integers
            Q5_K => 4 + 12 + 32 + 128, // the same, with the fifth bits apart
            Q6_K => 128 + 64 + 16 + 2, // low four bits, high two bits, scales, scale of scales
        }
    }

    /// How many bytes a row takes; `columns` is a multiple of [`StoredType::block_len`].
    pub fn row_bytes(self, columns: usize) -> usize {
        columns / self.block_len() * self.block_bytes()
    }

    /// Widens whole blocks: `out` has room for exactly the numbers that `bytes` stores.
    pub fn widen(self, bytes: &[u8], out: &mut [f32]) {
        assert_eq!(bytes.len(), self.row_bytes(out.len()), "bytes for {} numbers", out.len());
        match self {
            F32 => each_block(bytes, out, |b, out| *out = [f32::from_le_bytes(*b)]),
            F16 => each_block(bytes, out, |b, out| *out = [f16::from_le_bytes(*b).to_f32()]),
            BF16 => each_block(bytes, out, |b, out| *out = [bf16::from_le_bytes(*b).to_f32()]),
            Q8_0 => each_block(bytes, out, widen_q8_0),
            Q4_0 => each_block(bytes, out, widen_q4_0),
            Q4_1 => each_block(bytes, out, widen_q4_1),
            Q4_K => each_block(bytes, out, widen_q4_k),
            Q5_K => each_block(bytes, out, widen_q5_k),
            Q6_K => each_block(bytes, out, widen_q6_k),
        }
    }
}

/// Cuts bytes and numbers into blocks of fixed sizes, and widens one after the other.
fn each_block<const BYTES: usize, const LEN: usize>(
    bytes: &[u8],
    out: &mut [f32],
    widen: impl Fn(&[u8; BYTES], &mut [f32; LEN]),
) {
    for (block, out) in bytes.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        widen(block, out);
    }
}

fn f16_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

fn widen_q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let scale = f16_at(block, 0);
    for (x, byte) in out.iter_mut().zip(&block[2..]) {
        *x = scale * f32::from(*byte as i8);
    }
}

/// The low halves of 16 bytes are the first 16 numbers, the high halves the last 16.
fn widen_q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let scale = f16_at(block, 0);
    for (i, x) in out.iter_mut().enumerate() {
        let bits = (block[2 + i % 16] >> (i / 16 * 4)) & 15;
        *x = scale * (f32::from(bits) - 8.0);
    }
}

/// As in `Q4_0`, but they count up from a minimum.
fn widen_q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let (scale, minimum) = (f16_at(block, 0), f16_at(block, 2));
    for (i, x) in out.iter_mut().enumerate() {
        let bits = (block[4 + i % 16] >> (i / 16 * 4)) & 15;
        *x = scale * f32::from(bits) + minimum;
    }
}

/// Two groups of 32 share 32 bytes: one has the low halves, the other the high halves.
fn widen_q4_k(block: &[u8; 144], out: &mut [f32; 256]) {
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (scale, minimum) = scale_and_minimum(block, group);
        let bytes = &block[16 + group / 2 * 32..];
        for (x, byte) in out.iter_mut().zip(bytes) {
            let bits = (byte >> (group % 2 * 4)) & 15;
            *x = scale * f32::from(bits) - minimum;
        }
    }
}

/// As in `Q4_K`, and group `g` has its fifth bits in bit `g` of 32 bytes that all groups share.
fn widen_q5_k(block: &[u8; 176], out: &mut [f32; 256]) {
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (scale, minimum) = scale_and_minimum(block, group);
        let bytes = &block[48 + group / 2 * 32..];
        for (i, x) in out.iter_mut().enumerate() {
            let low_bits = (bytes[i] >> (group % 2 * 4)) & 15;
            let high_bit = (block[16 + i] >> group) & 1;
            *x = scale * f32::from(low_bits | (high_bit << 4)) - minimum;
        }
    }
}

/// Eight scales and eight minima of 6 bits each lie in 12 bytes. The first four of each fill
/// the low six bits of bytes 0 to 7. The last four have their low four bits in bytes 8 to 11,
/// and their high two bits at the top of bytes 0 to 7.
fn scale_and_minimum(block: &[u8], group: usize) -> (f32, f32) {
    let packed = &block[4..16];
    let (scale, minimum) = if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        let low_bits = packed[group + 4];
        let high_bits = |byte: u8| (byte >> 6) << 4;
        (
            (low_bits & 15) | high_bits(packed[group - 4]),
            (low_bits >> 4) | high_bits(packed[group]),
        )
    };
    (f16_at(block, 0) * f32::from(scale), f16_at(block, 2) * f32::from(minimum))
}

/// Two halves of 128 numbers. In each, four groups of 32 share 64 bytes of low halves and 32
/// bytes of two more bits; every 16 numbers share a scale.
fn widen_q6_k(block: &[u8; 210], out: &mut [f32; 256]) {
    let scale_of_scales = f16_at(block, 208);
    for (i, x) in out.iter_mut().enumerate() {
        let (half, group, at) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (block[half * 64 + group % 2 * 32 + at] >> (group / 2 * 4)) & 15;
        let high_bits = (block[128 + half * 32 + at] >> (group * 2)) & 3;
        let scale = scale_of_scales * f32::from(block[192 + i / 16] as i8);
        *x = scale * (f32::from(low_bits | (high_bits << 4)) - 32.0);
    }
}
