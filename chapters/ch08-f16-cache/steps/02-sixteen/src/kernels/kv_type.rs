use clap::ValueEnum;
use half::f16;
use half::slice::HalfFloatSliceExt;
use serde::Serialize;

/// The type in which keys and values are kept, as `--kv-type` names it. It changes bits, so it belongs to a model and not
/// to how it is run: without a cache they are rounded as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KvType {
    F32 = 4,
    #[default]
    F16 = 2,
}

impl KvType {
    /// Of a number.
    pub fn bytes(self) -> usize {
        self as usize
    }
}

/// Takes numbers over, each as the nearest that there is, and says whether all have one: an infinity stands for what is
/// too large.
pub fn round(numbers: &[f32], to: &mut [f16]) -> bool {
    to.convert_from_f32_slice(numbers);
    let too_large = |(to, number): (&f16, &f32)| to.is_infinite() && number.is_finite();
    !to.iter().zip(numbers).any(too_large)
}
