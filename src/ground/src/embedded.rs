//! The model inside the program: a tiny, really trained Qwen3. Nothing needs a download.

use crate::gguf::{Gguf, GgufError};

/// Puts the bytes at a multiple of 64, so that tensors can be used where they are.
#[repr(C, align(64))]
struct Aligned<B: ?Sized>(B);

static TINY_QWEN3: &Aligned<[u8]> = &Aligned(*include_bytes!("../embedded/tiny-qwen3.gguf"));

/// The embedded model's file.
pub fn tiny_qwen3_bytes() -> &'static [u8] {
    &TINY_QWEN3.0
}

/// The embedded model, opened.
pub fn tiny_qwen3() -> Result<Gguf, GgufError> {
    Gguf::from_static(tiny_qwen3_bytes())
}
