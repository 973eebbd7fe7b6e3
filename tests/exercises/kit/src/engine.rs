//! What the parity exercise tests: an engine that can be asked with and without a cache.

/// Ids in, logits out.
pub trait Engine {
    /// Ids go from 0 to `vocab() - 1`.
    fn vocab(&self) -> u32;

    /// How many ids a sequence may have.
    fn context_length(&self) -> usize;

    /// Without a cache: the whole sequence, and the logits of its last position. // [vocab]
    fn whole(&self, ids: &[u32]) -> Vec<f32>;

    /// A session with an empty cache.
    fn session(&self) -> Box<dyn Session + '_>;
}

/// A sequence that grows, with a cache.
pub trait Session {
    /// Appends one id or several, and gives the logits of the last of them. // [vocab]
    fn step(&mut self, ids: &[u32]) -> Vec<f32>;
}
