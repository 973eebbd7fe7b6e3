//! Parts of the chapter, each in a file of its own. `cargo run -- check ch06 --part NAME` tries one on a reader's chapter, so
//! none needs more than the chapter has when the book has come to it.

// Each part is also compiled by itself, and brings along what it shares with another.
#![allow(clippy::duplicate_mod)]

use ch06_fast_prefill as engine;

mod kernels;
mod q4_1;
mod repacked;
mod rounding;
