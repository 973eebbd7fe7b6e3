//! Each part by itself, where a whole model would hide a mistake in it. `cargo run -- check ch00 --part NAME` tries one
//! file on a reader's chapter, so none needs more than the chapter has when the book has come to it.

mod attention;
mod matmul;
mod model;
mod norm;
mod rope;
mod softmax;
