//! What an implementation that nobody here wrote computed for the same weights: `tests/oracle` made it.

use std::path::{Path, PathBuf};

use ground::gguf::Gguf;
use serde::Deserialize;

/// The models that were judged: the embedded one and two untrained ones of other shapes.
pub const MODELS: [&str; 3] = ["tiny-qwen3", "untied-one-kv", "three-to-one-odd-vocab"];

/// The judge's word on one model.
#[derive(Deserialize)]
pub struct Judgement {
    pub model_file: String,
    pub cases: Vec<Case>,
    pub hidden: Hidden,
}

/// One prompt and what follows it greedily, not stopped by an end token.
#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub prompt_ids: Vec<u32>,
    pub generated_ids: Vec<u32>,
    pub top: Vec<Vec<(u32, f32)>>,
    pub last_logits: Option<Vec<f32>>,
}

/// The state of every token after each part of the model, each [rows, hidden].
#[derive(Deserialize)]
pub struct Hidden {
    pub prompt_ids: Vec<u32>,
    pub embedding: Vec<Vec<f32>>,
    pub layers: Vec<Vec<Vec<f32>>>,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ lies in the repository")
        .into()
}

/// The judgement on `model`, and the model itself: it stays open until the test ends, because from
/// chapter 3 on a loaded model borrows its file.
pub fn judgement(model: &str) -> (Judgement, &'static Gguf) {
    let path = root().join("tests/fixtures/judge").join(model).with_extension("json");
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let judgement: Judgement =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = Gguf::open(&root().join(&judgement.model_file)).expect("the judged model opens");
    (judgement, Box::leak(Box::new(file)))
}
