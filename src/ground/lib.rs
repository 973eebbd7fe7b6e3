//! The ground floor of *One Diff at a Time*: what every chapter stands on and no chapter changes.

#[cfg_attr(any(target_family = "wasm", not(feature = "cli")), path = "bar/none.rs")]
pub mod bar;
pub mod chat;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod embedded;
pub mod error;
pub mod gguf;
mod instead;
pub mod machine;
mod metadata;
pub mod output;
pub mod random;
pub mod request;
mod rewrite;
pub mod sample;
pub mod sealed;
pub mod states;
pub mod stored;
pub mod stream;
pub mod tensor;
pub mod text;
pub mod thought;
pub mod tokenizer;
