//! To be generated.
