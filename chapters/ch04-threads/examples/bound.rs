//! How near decode comes to what memory gives, with one thread and with two.
//!
//! `cargo run --release -p ch04-threads --example bound -- f16.gguf f32.gguf > ch04-bound.json`

use ch04_threads as engine;

#[path = "../../../tests/shared/bound.rs"]
mod bound;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    bound::print()
}
