//! Chapter 9: Serve.

pub use ch08_f16_cache::*;
