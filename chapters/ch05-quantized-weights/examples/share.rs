//! How near decode comes to what memory gives, with one thread and with two.
//!
//! `cargo run --release -p ch05-quantized-weights --example share -- q8_0.gguf q4_0.gguf q4_k_m.gguf > ch05-bound.json`

use ch05_quantized_weights as engine;

#[path = "../../../tests/shared/bound.rs"]
mod bound;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    bound::print()
}
