use std::num::NonZeroUsize;

use crate::cache::Mode;

/// How a reply is computed. No choice here changes a bit of it.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub kv: Mode,
    pub prefill_chunk: NonZeroUsize, // without a cache the prompt is one chunk, however long
}

/// Long enough for the fastest kernels, and short enough that memory doesn't grow with the prompt.
pub const PREFILL_CHUNK: NonZeroUsize = NonZeroUsize::new(512).unwrap();
