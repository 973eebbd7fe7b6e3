//! Helpers shared by the tests of the course.

use std::path::PathBuf;

use ground::config::Config;
use ground::gguf::Gguf;
use judge::judgement::Judgement;

pub mod laws;
pub mod memory;
pub mod parts;
pub mod served;
pub mod tiny;

/// The root of the repository.
pub fn root() -> PathBuf {
    catalog::chapters::root()
}

/// What was judged of `model`, and the model itself: it stays open until the test ends, because from chapter 3 on a
/// loaded model borrows its file.
pub fn judged(model: &str) -> (Judgement, &'static Gguf) {
    let judgement = Judgement::read(&root(), model, None).expect("the judgement can be read");
    let file = Gguf::open(&judgement.model_file).expect("the judged model opens");
    (judgement, Box::leak(Box::new(file)))
}

/// The numbers of the published model, for what is arithmetic.
pub fn qwen3_0_6b() -> Config {
    Config {
        name: "Qwen3 0.6B".into(),
        layers: 28,
        hidden: 1024,
        heads: 16,
        kv_heads: 8,
        head_dim: 128,
        ffn: 3072,
        vocab: 151_936,
        context_length: 40_960,
        rms_eps: 1e-6,
        rope_theta: 1e6,
        eos_ids: vec![151_645],
        tied: true,
        family: ground::config::QWEN3,
    }
}
