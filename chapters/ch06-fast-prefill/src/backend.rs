use ground::error::Error;

#[cfg(target_arch = "aarch64")]
use crate::simd::Neon;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Amx, Avx2, Avx512, NoAmx};
use crate::simd::{Kernel, Scalar, Simd};

/// A backend that this CPU does not have.
#[derive(Debug, thiserror::Error)]
#[error("this CPU cannot run the backend {asked:?}: it has {available}{reason}")]
pub struct BackendError {
    pub asked: String,
    pub available: String,
    pub reason: String, // where it isn't the CPU that lacks something
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
    Avx2(Avx2<false>),
    #[cfg(target_arch = "x86_64")]
    AvxVnni(Avx2<true>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512<false>),
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni(Avx512<true>),
    #[cfg(target_arch = "x86_64")]
    Amx(Avx512<true>),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon<false>),
    #[cfg(target_arch = "aarch64")]
    NeonDot(Neon<true>),
}

impl Backend {
    /// All that this CPU has, the plainest first, the fastest last.
    pub fn available() -> Vec<Backend> {
        let backends = [
            Some(Backend::Scalar(Scalar::detect())),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Backend::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Backend::AvxVnni),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Backend::Avx512),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Backend::Avx512Vnni),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect_with_tiles().map(Backend::Amx),
            #[cfg(target_arch = "aarch64")]
            Neon::detect().map(Backend::Neon),
            #[cfg(target_arch = "aarch64")]
            Neon::detect().map(Backend::NeonDot),
        ];
        backends.into_iter().flatten().collect()
    }

    /// The one of this name; "auto" is the fastest of those that this CPU has.
    pub fn choose(name: &str) -> Result<Backend, BackendError> {
        let available = Backend::available();
        let fits = |backend: &&Backend| name == "auto" || name == backend.name();
        available.iter().rfind(fits).copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|backend| backend.name()).collect();
            let (available, reason) = (names.join(", "), refusal(name).unwrap_or_default());
            BackendError { asked: name.into(), available, reason }
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Backend::Scalar(_) => "scalar",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Backend::AvxVnni(_) => "avx-vnni",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512Vnni(_) => "avx512-vnni",
            #[cfg(target_arch = "x86_64")]
            Backend::Amx(_) => "amx",
            #[cfg(target_arch = "aarch64")]
            Backend::Neon(_) => "neon",
            #[cfg(target_arch = "aarch64")]
            Backend::NeonDot(_) => "neon-dot",
        }
    }

    /// Whether it multiplies in tiles of the CPU's own.
    pub fn has_tiles(self) -> bool {
        self.name() == "amx"
    }

    /// Runs a kernel with these instructions.
    pub fn run(self, kernel: impl Kernel) {
        match self {
            Backend::Scalar(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::AvxVnni(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512Vnni(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Backend::Amx(simd) => simd.run(kernel),
            #[cfg(target_arch = "aarch64")]
            Backend::Neon(simd) => simd.run(kernel),
            #[cfg(target_arch = "aarch64")]
            Backend::NeonDot(simd) => simd.run(kernel),
        }
    }
}

/// Why the system doesn't let this process use what the CPU has.
fn refusal(name: &str) -> Option<String> {
    #[cfg(target_arch = "x86_64")]
    if name == "amx"
        && let Err(NoAmx::Refused(number)) = Amx::detect()
    {
        return Some(format!(
            "; it has tiles too, but the system refused them (error {number})"
        ));
    }
    let _ = name; // without tiles
    None
}
