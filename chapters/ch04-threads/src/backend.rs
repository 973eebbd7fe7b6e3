use ground::error::Error;

#[cfg(target_arch = "aarch64")]
use crate::simd::Neon;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use crate::simd::{Kernel, Scalar, Simd};

/// A backend that this CPU does not have.
#[derive(Debug, thiserror::Error)]
#[error("this CPU cannot run the backend {asked:?}: it has {available}")]
pub struct BackendError {
    pub asked: String,
    pub available: String,
}

impl From<BackendError> for Error {
    fn from(error: BackendError) -> Error {
        Error::chapter(error)
    }
}

/// The instructions that the kernels use.
#[derive(Clone, Copy, Debug)]
pub enum Backend {
    Scalar(Scalar),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Backend {
    /// All that this CPU has, the plainest first, the fastest last.
    pub fn available() -> Vec<Backend> {
        let backends = [
            Some(Backend::Scalar(Scalar::detect())),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Backend::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Backend::Avx512),
            #[cfg(target_arch = "aarch64")]
            Neon::detect().map(Backend::Neon),
        ];
        backends.into_iter().flatten().collect()
    }

    /// The one of this name; "auto" is the fastest that this CPU has.
    pub fn choose(name: &str) -> Result<Backend, BackendError> {
        let available = Backend::available();
        let fits = |backend: &&Backend| name == "auto" || name == backend.name();
        available.iter().rfind(fits).copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|backend| backend.name()).collect();
            BackendError { asked: name.into(), available: names.join(", ") }
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Backend::Scalar(_) => "scalar",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Backend::Neon(_) => "neon",
        }
    }

    /// Runs a kernel with these instructions.
    pub fn run(self, kernel: impl Kernel) {
        match self {
            Backend::Scalar(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(simd) => simd.run(kernel),
            #[cfg(target_arch = "aarch64")]
            Backend::Neon(simd) => simd.run(kernel),
        }
    }
}
