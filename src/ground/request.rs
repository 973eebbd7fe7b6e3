//! What is asked of a chapter's engine, and what it answers: the two ends of the generation loop.

use serde::Serialize;

use crate::sample::Sampling;

/// Everything the generation loop needs to know, already checked against the model.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The prompt as token ids: at least one, each in the vocabulary, no more than the context holds.
    pub prompt_ids: Vec<u32>,
    /// How many tokens to generate at most.
    pub max_new_tokens: usize,
    /// The tokens that end a reply; empty with `--ignore-eos`.
    pub eos_ids: Vec<u32>,
    /// The strings that end a reply.
    pub stop: Vec<String>,
    /// How the next token is chosen.
    pub sampling: Sampling,
    /// How many of each step's best logits to keep for the report.
    pub top_logits: usize,
}

/// Why the generation loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FinishReason {
    /// The model produced one of its end tokens.
    Eos,
    /// The text reached a stop string.
    Stop,
    /// The limit of new tokens, or the end of the context, was reached.
    Length,
}

/// What the generation loop produced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generation {
    /// The ids of the prompt, as the model saw them.
    pub prompt_ids: Vec<u32>,
    /// Every generated id, an end token included.
    pub generated_ids: Vec<u32>,
    /// The generated text: without the end token, cut before a stop string.
    pub text: String,
    /// Why it ended.
    pub finish_reason: FinishReason,
    /// For every step the best `(id, logit)` pairs, before temperature and penalties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub top_logits: Vec<Vec<(u32, f32)>>,
}

/// The `count` largest logits with their ids, the largest first; of equals the first id first.
pub fn best(logits: &[f32], count: usize) -> Vec<(u32, f32)> {
    let mut best: Vec<(u32, f32)> = (0..).zip(logits.iter().copied()).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best.truncate(count);
    best
}
