use bytemuck::{cast_slice, cast_slice_mut};
use clap::ValueEnum;
use half::f16;
use half::slice::HalfFloatSliceExt;
use serde::Serialize;

use super::block_view::Line;
use super::eight_bits;

/// The type in which keys and values are kept, as `--kv-type` names it. It changes bits, so it belongs to a model and not
/// to how it is run: without a cache they are rounded as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KvType {
    F32,
    #[default]
    F16,
    #[value(name = "q8_0")]
    Q8_0,
}

impl KvType {
    /// What the keys of a position take for a head, or the values.
    pub fn row_bytes(self, head_dim: usize) -> usize {
        match self {
            KvType::F32 => head_dim.next_multiple_of(16) * size_of::<f32>(),
            KvType::F16 => head_dim.next_multiple_of(16) * size_of::<f16>(),
            KvType::Q8_0 => eight_bits::row_bytes(head_dim),
        }
    }

    /// Takes over a row of a head, and says whether each number has a nearest one. lines: those of the head in its block
    pub fn write(
        self,
        lines: &mut [Line],
        is_value: bool,
        row: usize,
        numbers: &[f32],
    ) -> bool {
        let at = row * numbers.len().next_multiple_of(16);
        let these = at..at + numbers.len();
        match self {
            KvType::F32 => cast_slice_mut(lines)[these].copy_from_slice(numbers),
            KvType::F16 => return round(numbers, &mut cast_slice_mut(lines)[these]),
            KvType::Q8_0 => eight_bits::write(lines, is_value, row, numbers),
        }
        true
    }

    /// A number as it was written.
    pub fn read(self, lines: &[Line], is_value: bool, row: usize, number: usize) -> f32 {
        match self {
            KvType::F32 => cast_slice::<_, f32>(lines)[row * lines.len() / 4 + number],
            KvType::F16 => cast_slice::<_, f16>(lines)[row * lines.len() / 2 + number].to_f32(),
            KvType::Q8_0 => eight_bits::read(lines, is_value, row, number),
        }
    }
}

/// Takes numbers over, each as the nearest that there is, and says whether all have one: an infinity stands for what is
/// too large.
pub fn round(numbers: &[f32], to: &mut [f16]) -> bool {
    to.convert_from_f32_slice(numbers);
    // Looked for in all of them at once, because that's many at a time: hardly ever is there one.
    let infinite = to.iter().fold(false, |any, number| any | number.is_infinite());
    let too_large = |(to, number): (&f16, &f32)| to.is_infinite() && number.is_finite();
    !(infinite && to.iter().zip(numbers).any(too_large))
}
