//! How the numbers of a synthetic file are stored, and the rounding to each type.

use clap::ValueEnum;
use gguf_rs_lib::format::GGUFTensorType;
use ground::config::Config;
use ground::dtype::StoredType;
use half::{bf16, f16};

use super::k_types::{round_q4_k, round_q5_k, round_q6_k};

/// How the matrices are stored: all in one type, or in a mixture.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
#[allow(non_camel_case_types)] // the names the format gives them
pub enum Kind {
    F32,
    F16,
    #[value(name = "bf16")]
    Bf16,
    #[value(name = "q8_0")]
    Q8_0,
    #[value(name = "q4_0")]
    Q4_0,
    #[value(name = "q4_k")]
    Q4_K,
    #[value(name = "q5_k")]
    Q5_K,
    #[value(name = "q6_k")]
    Q6_K,
    #[value(name = "q4_k_m")]
    Q4_K_M,
}

impl Kind {
    /// The type of most matrices.
    fn usual(self) -> StoredType {
        match self {
            Kind::F32 => StoredType::F32,
            Kind::F16 => StoredType::F16,
            Kind::Bf16 => StoredType::BF16,
            Kind::Q8_0 => StoredType::Q8_0,
            Kind::Q4_0 => StoredType::Q4_0,
            Kind::Q4_K | Kind::Q4_K_M => StoredType::Q4_K,
            Kind::Q5_K => StoredType::Q5_K,
            Kind::Q6_K => StoredType::Q6_K,
        }
    }

    /// The type of the matrix of this name.
    pub fn of_matrix(self, name: &str, config: &Config) -> StoredType {
        match self {
            Kind::Q4_K_M if has_six_bits(name, config) => StoredType::Q6_K,
            _ => self.usual(),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Q4_K_M => "Q4_K_M",
            _ => self.usual().name(),
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
            Kind::Q4_K => 14, // its name is Q4_K_S: a number for Q4_K alone does not exist
            Kind::Q4_K_M => 15,
            Kind::Q5_K => 16, // likewise
            Kind::Q6_K => 18,
        }
    }

    /// Each row of a matrix is a multiple of this long.
    pub fn block_len(self) -> usize {
        self.usual().block_len() // the same for all types of a mixture
    }
}

/// Which matrices of a `Q4_K_M` are `Q6_K`, by the rule of llama.cpp's quantiser: the one that
/// makes the logits, and in half of the layers two that suffer most from few bits.
fn has_six_bits(name: &str, config: &Config) -> bool {
    let layers = config.layers;
    let more_bits = |layer: usize| {
        layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2
    };
    match name.split('.').collect::<Vec<_>>()[..] {
        ["output", _] => true,
        ["token_embd", _] => config.tied,
        ["blk", layer, "attn_v" | "ffn_down", _] => layer.parse().is_ok_and(more_bits),
        _ => false,
    }
}

/// The number of a type in the file.
pub fn number(stored: StoredType) -> GGUFTensorType {
    match stored {
        StoredType::F32 => GGUFTensorType::F32,
        StoredType::F16 => GGUFTensorType::F16,
        StoredType::BF16 => GGUFTensorType::BF16,
        StoredType::Q8_0 => GGUFTensorType::Q8_0,
        StoredType::Q4_0 => GGUFTensorType::Q4_0,
        StoredType::Q4_1 => GGUFTensorType::Q4_1,
        StoredType::Q4_K => GGUFTensorType::Q4_K,
        StoredType::Q5_K => GGUFTensorType::Q5_K,
        StoredType::Q6_K => GGUFTensorType::Q6_K,
    }
}

/// Rounds whole blocks of numbers to how they are stored.
pub fn round(stored: StoredType, numbers: &[f32], out: &mut Vec<u8>) {
    match stored {
        StoredType::F32 => each_block(numbers, out, |[x]| x.to_le_bytes()),
        StoredType::F16 => each_block(numbers, out, |[x]| f16::from_f32(*x).to_le_bytes()),
        StoredType::BF16 => each_block(numbers, out, |[x]| bf16::from_f32(*x).to_le_bytes()),
        StoredType::Q8_0 => each_block(numbers, out, round_q8_0),
        StoredType::Q4_0 => each_block(numbers, out, round_q4_0),
        StoredType::Q4_1 => unreachable!("no kind of file has it"),
        StoredType::Q4_K => each_block(numbers, out, round_q4_k),
        StoredType::Q5_K => each_block(numbers, out, round_q5_k),
        StoredType::Q6_K => each_block(numbers, out, round_q6_k),
    }
}

/// Cuts numbers into blocks of a fixed length, and rounds one after the other.
fn each_block<const LEN: usize, const BYTES: usize>(
    numbers: &[f32],
    out: &mut Vec<u8>,
    round: impl Fn(&[f32; LEN]) -> [u8; BYTES],
) {
    for block in numbers.as_chunks().0 {
        out.extend(round(block));
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
