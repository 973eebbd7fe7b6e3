#[cfg(not(target_arch = "wasm32"))]
use crate::simd::Scalar as Instructions;
#[cfg(target_arch = "wasm32")]
use crate::simd::Simd128 as Instructions;
use crate::simd::{Kernel, Simd};

/// What the kernels compute with. A module has no choice: a browser runs all of it or refuses it.
#[derive(Clone, Copy, Debug)]
pub struct Backend(Instructions);

impl Backend {
    pub fn detect() -> Backend {
        Backend(Instructions::detect())
    }

    pub fn name(self) -> &'static str {
        if cfg!(target_arch = "wasm32") { "simd128" } else { "scalar" }
    }

    pub fn run(self, kernel: impl Kernel) {
        self.0.run(kernel);
    }
}
