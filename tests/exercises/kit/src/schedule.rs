//! The types of the exercises about who goes next.

/// What has happened to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// So many of its next rows were computed.
    Computed(usize),
    /// It has lost all its rows.
    Preempted,
}
