//! What a pass is estimated from.

/// A model, and the machine that computes it.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The bytes of all weights.
    pub weights: u64,
    /// What a row computes with them.
    pub operations: u64,
    /// The bytes of keys and values of a position.
    pub cache: u64,
    /// Bytes that come in a nanosecond, at least 1.
    pub bandwidth: u64,
    /// Operations in a nanosecond, at least 1.
    pub rate: u64,
}
