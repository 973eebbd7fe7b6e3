use ground::error::Error;

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
}

impl Backend {
    /// All that this CPU has, the plainest first, the fastest last.
    pub fn available() -> Vec<Backend> {
        let backends = [Some(Backend::Scalar(Scalar::detect()))];
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
        }
    }

    /// Runs a kernel with these instructions.
    pub fn run(self, kernel: impl Kernel) {
        match self {
            Backend::Scalar(simd) => simd.run(kernel),
        }
    }
}
