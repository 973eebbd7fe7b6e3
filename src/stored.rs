//! How a GGUF file stores numbers, and how each way is widened to `f32`.
//!
//! The quantised types store blocks: a few shared scales, then one small integer per number. Every formula here
//! multiplies and subtracts in the same order as the reference implementation, so the results are equal to the bit.

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
    pub const ALL: [StoredType; 8] = [F32, F16, BF16, Q8_0, Q4_0, Q4_K, Q5_K, Q6_K];

    /// The name the format gives this type, such as `Q8_0`.
    pub fn name(self) -> &'static str {
        match self {
            F32 => "F32",
            F16 => "F16",
            BF16 => "BF16",
            Q8_0 => "Q8_0",
            Q4_0 => "Q4_0",
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
            Q8_0 | Q4_0 => 32,
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
            Q4_K => 4 + 12 + 128,      // scales of scales and minima, packed scales, integers
            Q5_K => 4 + 12 + 32 + 128, // the same, with the fifth bits apart
            Q6_K => 128 + 64 + 16 + 2, // low four bits, high two bits, scales, scale of scales
        }
    }

    /// How many bytes a row of `columns` numbers takes; `columns` is a multiple of [`block_len`](Self::block_len).
    pub fn row_bytes(self, columns: usize) -> usize {
        columns / self.block_len() * self.block_bytes()
    }

    /// Widens whole blocks: `out` has as many numbers as `bytes` stores.
    pub fn widen(self, bytes: &[u8], out: &mut [f32]) {
        assert_eq!(
            bytes.len(),
            self.row_bytes(out.len()),
            "{} bytes for {} numbers",
            self.name(),
            out.len()
        );
        let widen_block = match self {
            F32 => |block: &[u8], out: &mut [f32]| {
                out[0] = f32::from_le_bytes([block[0], block[1], block[2], block[3]])
            },
            F16 => |block: &[u8], out: &mut [f32]| out[0] = f16_at(block, 0),
            BF16 => |block: &[u8], out: &mut [f32]| {
                out[0] = bf16::from_le_bytes([block[0], block[1]]).to_f32()
            },
            Q8_0 => widen_q8_0,
            Q4_0 => widen_q4_0,
            Q4_K => widen_q4_k,
            Q5_K => widen_q5_k,
            Q6_K => widen_q6_k,
        };
        let blocks = bytes.chunks_exact(self.block_bytes());
        for (block, out) in blocks.zip(out.chunks_exact_mut(self.block_len())) {
            widen_block(block, out);
        }
    }
}

fn f16_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

fn widen_q8_0(block: &[u8], out: &mut [f32]) {
    let scale = f16_at(block, 0);
    for (x, &byte) in out.iter_mut().zip(&block[2..]) {
        *x = scale * f32::from(byte as i8);
    }
}

/// The low four bits of the 16 bytes are the first 16 numbers, the high four bits the last 16.
fn widen_q4_0(block: &[u8], out: &mut [f32]) {
    let scale = f16_at(block, 0);
    for (i, x) in out.iter_mut().enumerate() {
        let four_bits = block[2 + i % 16] >> (4 * (i / 16)) & 15;
        *x = scale * (f32::from(four_bits) - 8.0);
    }
}

/// Eight groups of 32. A byte holds a number of an even group in its low half and of the next group in its high half.
fn widen_q4_k(block: &[u8], out: &mut [f32]) {
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (scale, minimum) = group_scale_and_minimum(block, group);
        let low_bits = &block[16 + group / 2 * 32..];
        for (x, byte) in out.iter_mut().zip(low_bits) {
            let four_bits = byte >> (4 * (group % 2)) & 15;
            *x = scale * f32::from(four_bits) - minimum;
        }
    }
}

/// As `Q4_K`; bit `group` of byte `i` of 32 bytes more is the fifth bit of number `i` of that group.
fn widen_q5_k(block: &[u8], out: &mut [f32]) {
    let high_bits = &block[16..48];
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (scale, minimum) = group_scale_and_minimum(block, group);
        let low_bits = &block[48 + group / 2 * 32..];
        for ((x, low), high) in out.iter_mut().zip(low_bits).zip(high_bits) {
            let five_bits = low >> (4 * (group % 2)) & 15 | (high >> group & 1) << 4;
            *x = scale * f32::from(five_bits) - minimum;
        }
    }
}

/// Eight scales and eight minima of 6 bits each, packed into 12 bytes: the first four of each lie in the low six bits of
/// bytes 0 to 7; of the last four, the low four bits lie in bytes 8 to 11 and the high two at the top of bytes 0 to 7.
fn group_scale_and_minimum(block: &[u8], group: usize) -> (f32, f32) {
    let packed = &block[4..16];
    let (scale, minimum) = if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        let low_bits = packed[group + 4];
        (low_bits & 15 | packed[group - 4] >> 6 << 4, low_bits >> 4 | packed[group] >> 6 << 4)
    };
    (f16_at(block, 0) * f32::from(scale), f16_at(block, 2) * f32::from(minimum))
}

/// Two halves of 128 numbers, each of four groups of 32 that share 64 bytes of low bits and 32 bytes of high bits.
fn widen_q6_k(block: &[u8], out: &mut [f32]) {
    let (low_bits, rest) = block.split_at(128);
    let (high_bits, scales) = rest.split_at(64);
    let scale = f16_at(block, 208);
    for (i, x) in out.iter_mut().enumerate() {
        let (half, group, at) = (i / 128, i / 32 % 4, i % 32);
        let low = low_bits[half * 64 + group % 2 * 32 + at] >> (4 * (group / 2)) & 15;
        let high = high_bits[half * 32 + at] >> (2 * group) & 3;
        let six_bits = low | high << 4;
        *x = scale * f32::from(scales[i / 16] as i8) * (f32::from(six_bits) - 32.0);
    }
}
