//! A model that nobody judged: it is stored as BF16, and its widths are multiples of nothing. What kernels do with the end
//! of a row shows here, and so does a type that no judged model has.
//!
//! `cargo run -- synth --type bf16 --layers 2 --hidden 37 --heads 3 --kv-heads 1 --head-dim 6 --ffn 51 --vocab 331
//! --context 128 --seed 5` wrote it.

use std::path::Path;

use super::ask::{Engine, Question, Tried};
use super::ways;

const LENGTHS: [u32; 3] = [1, 7, 33];
const STEPS: usize = 3;
const LOGITS: usize = 10;
/// Ids of letters, so that a prompt can be read.
const LETTERS: u32 = 26;

pub fn questions(root: &Path) -> impl Iterator<Item = Question> {
    let model = root.join("tests/fixtures/models/bf16-odd-width.gguf");
    LENGTHS.into_iter().map(move |length| {
        let ids: Vec<u32> = (0..length).map(|at| 64 + at * 7 % LETTERS).collect();
        Question::greedy(&model, &ids, STEPS, LOGITS)
    })
}

/// Every way gives the same bits.
pub fn agrees(engine: &Engine, root: &Path) -> Tried {
    questions(root).try_for_each(|question| ways::all_the_same(engine, &question))
}
