//! The error of the fixed cache exercise.

/// The rows do not fit. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheFull {
    /// Rows that the cache holds.
    pub length: usize,
    /// Rows that were to be added.
    pub adding: usize,
    /// Rows that it can hold.
    pub capacity: usize,
}
