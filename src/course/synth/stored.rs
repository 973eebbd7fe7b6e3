//! How the numbers of a synthetic file are stored: five types, and the rounding to each.

use clap::ValueEnum;
use gguf_rs_lib::format::GGUFTensorType;
use half::{bf16, f16};

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Kind {
    F32,
    F16,
    #[value(name = "bf16")]
    Bf16,
    #[value(name = "q8_0")]
    Q8_0,
    #[value(name = "q4_0")]
    Q4_0,
}

impl Kind {
    pub fn number(self) -> GGUFTensorType {
        match self {
            Kind::F32 => GGUFTensorType::F32,
            Kind::F16 => GGUFTensorType::F16,
            Kind::Bf16 => GGUFTensorType::BF16,
            Kind::Q8_0 => GGUFTensorType::Q8_0,
            Kind::Q4_0 => GGUFTensorType::Q4_0,
        }
    }

    /// What the format calls a file that is mostly of this type.
    pub fn file_type(self) -> u32 {
        match self {
            Kind::F32 => 0,
            Kind::F16 => 1,
            Kind::Bf16 => 32,
            Kind::Q8_0 => 7,
            Kind::Q4_0 => 2,
        }
    }

    pub fn block_len(self) -> usize {
        self.number().block_size()
    }
}

/// Rounds whole blocks of numbers to how they are stored.
pub fn round(kind: Kind, numbers: &[f32], out: &mut Vec<u8>) {
    match kind {
        Kind::F32 => numbers.iter().for_each(|x| out.extend(x.to_le_bytes())),
        Kind::F16 => numbers.iter().for_each(|x| out.extend(f16::from_f32(*x).to_le_bytes())),
        Kind::Bf16 => numbers.iter().for_each(|x| out.extend(bf16::from_f32(*x).to_le_bytes())),
        Kind::Q8_0 => {
            numbers.as_chunks().0.iter().for_each(|block| out.extend(round_q8_0(block)))
        }
        Kind::Q4_0 => {
            numbers.as_chunks().0.iter().for_each(|block| out.extend(round_q4_0(block)))
        }
    }
}

/// The largest becomes 127 or -127.
fn round_q8_0(block: &[f32; 32]) -> [u8; 34] {
    let largest = block.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let scale = largest / 127.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    let mut out = [0; 34];
    out[..2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
    for (byte, x) in out[2..].iter_mut().zip(block) {
        let scaled = x * inverse;
        *byte = (scaled + 0.5f32.copysign(scaled)) as i8 as u8;
    }
    out
}

/// The one furthest from zero becomes -8, which has no positive twin.
fn round_q4_0(block: &[f32; 32]) -> [u8; 18] {
    let furthest =
        block.iter().fold(0.0f32, |far, x| if x.abs() > far.abs() { *x } else { far });
    let scale = furthest / -8.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    let four_bits = |x: f32| ((x * inverse + 8.5) as u8).min(15);
    let mut out = [0; 18];
    out[..2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
    for i in 0..16 {
        out[2 + i] = four_bits(block[i]) | (four_bits(block[i + 16]) << 4);
    }
    out
}
