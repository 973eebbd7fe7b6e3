//! The ground floor of *One Diff at a Time*: what every chapter stands on and no chapter changes.

pub mod chat;
pub mod checksummed_file;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod dtype;
pub mod embedded;
pub mod error;
pub mod exp;
pub mod gguf;
pub mod machine;
mod metadata;
mod not_a_model;
pub mod output;
#[cfg_attr(any(target_family = "wasm", not(feature = "cli")), path = "progress_bar/none.rs")]
pub mod progress_bar;
pub mod random;
mod requantize;
pub mod request;
pub mod sample;
pub mod states;
pub mod stream;
pub mod tensor;
pub mod text;
pub mod think_split;
pub mod tokenizer;
