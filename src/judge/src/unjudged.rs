//! Models that nobody judged, of types and widths that no judged model has: what kernels do with them, they do alike in
//! every way, and as the course's own.
//!
//! `cargo run -- synth FILE --vocab 331 --seed 5` wrote them, and beside that
//! - bf16-odd-width: `--type bf16 --layers 2 --hidden 37 --heads 3 --kv-heads 1 --head-dim 6 --ffn 51 --context 128`
//! - f16-wide-heads: `--type f16 --layers 1 --hidden 37 --heads 2 --kv-heads 1 --head-dim 80 --ffn 51 --context 256`
//! - q4_0: `--type q4_0 --layers 2 --hidden 64 --heads 2 --kv-heads 1 --head-dim 32 --ffn 96 --context 256`
//! - far: `--type f16 --layers 1 --hidden 16 --heads 2 --kv-heads 1 --head-dim 8 --ffn 16 --context 4200`
//! - q4_k_m and q5_k: `--layers 1 --hidden 256 --heads 4 --kv-heads 1 --head-dim 64 --ffn 256 --context 256`

use std::path::Path;

use crate::engine::{Engine, Question, Tried};
use crate::ways;

/// Widths that are multiples of nothing, heads of more than a block of values, all types with blocks but Q8_0, and one so
/// small that a prompt may be long.
pub const MODELS: [&str; 6] =
    ["bf16-odd-width", "f16-wide-heads", "q4_0", "q4_k_m", "q5_k", FAR];
const FAR: &str = "far";

const LENGTHS: [u32; 3] = [1, 7, 33];
const STEPS: usize = 3;
/// Past position 4096, in the prompt and after it.
const FAR_LENGTHS: [u32; 1] = [4100];
const FAR_STEPS: usize = 2;
const LOGITS: usize = 10;
/// Ids of letters, so that a prompt can be read.
const LETTERS: u32 = 26;

/// What is asked of one of the models.
pub fn questions(root: &Path, model: &str) -> impl Iterator<Item = Question> + use<> {
    let (lengths, steps) =
        if model == FAR { (&FAR_LENGTHS[..], FAR_STEPS) } else { (&LENGTHS[..], STEPS) };
    let model = root.join("tests/fixtures/models").join(model).with_extension("gguf");
    lengths.iter().map(move |&length| {
        let ids: Vec<u32> = (0..length).map(|at| 64 + at * 7 % LETTERS).collect();
        Question::greedy(&model, &ids, steps, LOGITS)
    })
}

/// Every way gives the same bits.
pub fn agrees(engine: &Engine, root: &Path, model: &str) -> Tried {
    questions(root, model).try_for_each(|question| ways::all_the_same(engine, &question))
}
