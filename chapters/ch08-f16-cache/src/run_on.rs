//! The kernels that chapters on this base give to a backend, compiled here.
//!
//! `Backend::run` takes any kernel, so the compiler makes it anew in every library that calls it, for each kernel and
//! each backend. These functions take one kernel each: they're in this library, once.

use crate::backend::Backend;
use crate::kernels::{Attend, Mix, Score, Weigh};
use crate::norm::Norm;
use crate::rope::Rope;

/// A kernel that is compiled.
pub trait RunOn {
    /// Runs the kernel with these instructions.
    fn run_on(self, backend: Backend);
}

macro_rules! compiled_here {
    ($($kernel:ident),*) => {$(
        impl RunOn for $kernel<'_> {
            fn run_on(self, backend: Backend) {
                backend.run(self);
            }
        }
    )*};
}

compiled_here!(Attend, Mix, Norm, Rope, Score, Weigh);
