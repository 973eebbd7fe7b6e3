//! Parts of the chapter, each in a file of its own. `cargo run -- check ch05 --part NAME` tries one on a reader's chapter, so
//! none needs more than the chapter has when the book has come to it.

// Each part is also compiled by itself, and brings along what it shares with another.
#![allow(clippy::duplicate_mod)]

use ch05_quantized_weights as engine;

mod q4_0;
mod q4_k;
mod q5_k;
mod q6_k;
mod q8_0;
mod rounding;
