//! Nothing: only the features in its Cargo.toml count.
