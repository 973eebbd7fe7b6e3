//! What is asked of a chapter's engine, and what it answers: the two ends of the generation loop.

use std::fmt;

use serde::Serialize;

use crate::config::Config;
use crate::sample::{SampleError, Sampling};
use crate::stream::Stops;
use crate::text::{NAME, one_line};

/// What may be chosen about a reply, before it is checked against a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many tokens to generate at most.
    pub max_new_tokens: usize,
    /// Whether to go on after the tokens that end a reply.
    pub ignore_eos: bool,
    /// The strings that end a reply.
    pub stop: Vec<String>,
    /// How the next token is chosen.
    pub sampling: Sampling,
    /// How many of each step's best logits to keep for the report.
    pub top_logits: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_new_tokens: 160,
            ignore_eos: false,
            stop: Vec::new(),
            sampling: Sampling::default(),
            top_logits: 0,
        }
    }
}

impl Options {
    /// Changes one of them, by its name on the command line; none if the value makes no sense.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RequestError> {
        let mut new = self.clone();
        new.change(name, value)
            .ok_or_else(|| RequestError::Setting { found: format!("{name} {value}") })?;
        new.sampling.check()?;
        *self = new;
        Ok(())
    }

    fn change(&mut self, name: &str, value: &str) -> Option<()> {
        let sampling = &mut self.sampling;
        match name {
            "temperature" => sampling.temperature = value.parse().ok()?,
            "top-k" => sampling.top_k = value.parse().ok()?,
            "top-p" => sampling.top_p = value.parse().ok()?,
            "repetition-penalty" => sampling.repetition_penalty = value.parse().ok()?,
            "seed" => sampling.seed = value.parse().ok()?,
            "max-new-tokens" if value == "none" => self.max_new_tokens = usize::MAX,
            "max-new-tokens" => self.max_new_tokens = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

/// All that `set` can change.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Sampling { temperature, top_k, top_p, repetition_penalty, seed } = &self.sampling;
        write!(
            f,
            "temperature {temperature}, top-k {top_k}, top-p {top_p}, \
             repetition-penalty {repetition_penalty}, seed {seed}, max-new-tokens "
        )?;
        match self.max_new_tokens {
            usize::MAX => write!(f, "none"),
            tokens => write!(f, "{tokens}"),
        }
    }
}

/// Why a model cannot serve a request.
#[derive(Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum RequestError {
    #[error("the prompt is empty: give the model at least one token to continue")]
    Empty,
    #[error("token id {id} is not in the vocabulary: this model has ids 0 to {last}")]
    UnknownId { id: u32, last: usize },
    #[error(
        "the prompt has {found} tokens, but this model's context holds {holds}: shorten the prompt"
    )]
    TooLong { found: usize, holds: usize },
    #[error(
        "the prompt has {bytes} bytes, more than {holds} tokens can hold, and the context \
         holds no more: shorten the prompt"
    )]
    FarTooLong { bytes: usize, holds: usize },
    #[error("a stop string is empty: it would end every reply at once")]
    EmptyStop,
    #[error(
        "expected temperature, top-k, top-p, repetition-penalty, seed or max-new-tokens, and a number, \
         found {}",
        one_line(found, NAME)
    )]
    Setting { found: String },
    #[error(transparent)]
    Sampling(#[from] SampleError),
}

/// Everything the generation loop needs to know. It was checked against the model when it was made,
/// and cannot be changed after that: no loop has to look again.
#[derive(Clone, Debug)]
pub struct Request {
    prompt_ids: Vec<u32>, // at least one, each in the vocabulary, all within the context
    max_new_tokens: usize, // no more than the context has room for
    cut: bool,            // more tokens were asked for
    eos_ids: Vec<u32>,    // empty: the model's end tokens do not end the reply
    stop: Stops,
    sampling: Sampling,
    top_logits: usize,
}

impl Request {
    /// Checks what is asked against the model, once and for all.
    pub fn new(
        prompt_ids: Vec<u32>,
        options: Options,
        config: &Config,
    ) -> Result<Request, RequestError> {
        let Options { max_new_tokens, ignore_eos, stop, sampling, top_logits } = options;
        if prompt_ids.is_empty() {
            return Err(RequestError::Empty);
        }
        if let Some(&id) = prompt_ids.iter().find(|&&id| id as usize >= config.vocab) {
            return Err(RequestError::UnknownId { id, last: config.vocab.saturating_sub(1) });
        }
        let (found, holds) = (prompt_ids.len(), config.context_length);
        if found > holds {
            return Err(RequestError::TooLong { found, holds });
        }
        sampling.check()?;
        if stop.iter().any(String::is_empty) {
            return Err(RequestError::EmptyStop);
        }
        // The last new token is never fed back, so there is room for one more than it seems.
        let room = (holds - found).saturating_add(1);
        Ok(Request {
            prompt_ids,
            max_new_tokens: max_new_tokens.min(room),
            cut: max_new_tokens > room,
            eos_ids: if ignore_eos { Vec::new() } else { config.eos_ids.clone() },
            stop: Stops::new(&stop),
            sampling,
            top_logits,
        })
    }

    /// The prompt as token ids: at least one.
    pub fn prompt_ids(&self) -> &[u32] {
        &self.prompt_ids
    }

    /// How many tokens to generate at most: with the prompt never more than the context allows.
    pub fn max_new_tokens(&self) -> usize {
        self.max_new_tokens
    }

    /// The tokens that end a reply; empty if it goes on after them.
    pub fn eos_ids(&self) -> &[u32] {
        &self.eos_ids
    }

    /// The strings that end a reply.
    pub fn stop(&self) -> &Stops {
        &self.stop
    }

    /// How the next token is chosen.
    pub fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    /// How many of each step's best logits to keep for the report.
    pub fn top_logits(&self) -> usize {
        self.top_logits
    }

    /// The same request for a shorter reply.
    pub fn shortened(&self, max_new_tokens: usize) -> Request {
        let fewer = max_new_tokens < self.max_new_tokens;
        Request {
            max_new_tokens: max_new_tokens.min(self.max_new_tokens),
            cut: self.cut && !fewer,
            ..self.clone()
        }
    }

    /// The same request with a later seed, for another answer.
    pub fn reseeded(&self, later: u64) -> Request {
        let mut request = self.clone();
        request.sampling.seed = request.sampling.seed.wrapping_add(later);
        request
    }

    /// How a reply to this request ended, in words.
    pub fn ending(&self, reason: FinishReason) -> &'static str {
        match reason {
            FinishReason::Eos => "eos: the model wrote a token that ends a reply",
            FinishReason::Stop => "stop: the text reached a stop string",
            FinishReason::Length if self.cut => "length: the model's context is full",
            FinishReason::Length => "length: as many tokens as were asked for",
            FinishReason::Interrupted => "interrupted: it was to end here",
        }
    }
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
    /// The caller wants no more of it.
    Interrupted,
}

/// What one token adds to an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub text: String, // whole characters; often none
    pub token: Option<Token>,
    pub finish: Option<FinishReason>,
}

/// A token and the logarithm of its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub id: u32,
    pub logprob: f32,
    pub likely: Vec<(u32, f32)>,
}

/// How many tokens of an answer were guessed, and how many of these came true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    pub guessed: usize,
    pub accepted: usize,
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

/// The `count` largest logits with their ids, the largest first; of equals the first id first. A NaN
/// comes after every number, whatever its sign: that depends on the processor's instructions.
pub fn best(logits: &[f32], count: usize) -> Vec<(u32, f32)> {
    if count == 0 {
        return Vec::new();
    }
    let mut best: Vec<(u32, f32)> = (0..).zip(logits.iter().copied()).collect();
    let rank = |logit: f32| if logit.is_nan() { -f32::NAN.abs() } else { logit };
    let larger_first =
        |a: &(u32, f32), b: &(u32, f32)| rank(b.1).total_cmp(&rank(a.1)).then(a.0.cmp(&b.0));
    // A vocabulary has a hundred thousand tokens or more: sorted are those that are wanted.
    if count < best.len() {
        best.select_nth_unstable_by(count, larger_first);
        best.truncate(count);
    }
    best.sort_unstable_by(larger_first);
    best
}
