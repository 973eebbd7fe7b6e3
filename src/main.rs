//! The tools beside the book: `cargo run -- --help` lists them.

fn main() {}
