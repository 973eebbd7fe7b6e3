use std::sync::Arc;

use ground::error::Error;
use ground::request::{FinishReason, Request, Step, Token, best};
use ground::sample::Sampler;
use ground::stream::TextStream;
use ground::tokenizer::Tokenizer;

use crate::matcher::Matcher;
use crate::token_trie::TokenSet;

/// What a client asks for, checked against the model.
#[derive(Clone)]
pub struct EngineRequest {
    pub request: Request,
    pub bias: Vec<(u32, f32)>, // is added to the logits of these tokens
    pub likely: Option<usize>, // tell how likely each token was, and so many of the likeliest
    pub replay: Option<Arc<[u32]>>, // the tokens that it shall be, whatever the logits say
    pub matcher: Option<Matcher>, // at the beginning of the answer's grammar
}

/// An answer that is being written. `generate` asks for logits when it wants them; a decoder is given them, so
/// that whoever computes them can do something else in between.
pub struct Decoder<'a> {
    asked: EngineRequest,
    sampler: Sampler,
    biased: Vec<f32>, // kept for its memory only
    stream: TextStream<'a>,
    pub matcher: Option<Matcher>,
    pub ids: Vec<u32>, // the prompt's too
}

impl<'a> Decoder<'a> {
    pub fn new(asked: EngineRequest, tokenizer: &'a Tokenizer) -> Result<Decoder<'a>, Error> {
        let request = &asked.request;
        Ok(Decoder {
            sampler: Sampler::new(request.sampling().clone())?,
            stream: TextStream::new(tokenizer, request.stop()),
            biased: Vec::new(),
            matcher: asked.matcher.clone(),
            ids: request.prompt_ids().to_vec(),
            asked,
        })
    }

    /// How many tokens it has.
    pub fn generated(&self) -> usize {
        self.ids.len() - self.asked.request.prompt_ids().len()
    }

    /// Chooses the next token by the logits `[vocab]` after all tokens so far.
    pub fn take(&mut self, logits: &[f32]) -> Result<Step, Error> {
        let EngineRequest { request, bias, likely, replay, .. } = &self.asked;
        let is_free = bias.is_empty() && self.matcher.is_none();
        self.biased.clear();
        self.biased.extend_from_slice(if is_free { &[] } else { logits });
        bias.iter().for_each(|&(id, more)| self.biased[id as usize] += more);
        if let Some(matcher) = &mut self.matcher {
            let (mut mask, may_end) = (TokenSet::clone(&matcher.mask()), matcher.may_end());
            // An end is no text, whatever its name.
            request.eos_ids().iter().for_each(|&id| mask.set(id, may_end));
            mask.apply(&mut self.biased);
        }
        let id = match replay {
            Some(ids) => ids[self.generated()],
            None => self.sampler.next(if is_free { logits } else { &self.biased }, &self.ids),
        };
        self.ids.push(id);
        if request.eos_ids().contains(&id) {
            let (text, finish) = (self.stream.finish(), Some(FinishReason::Eos));
            return Ok(Step { text, token: None, finish });
        }
        let mut is_over = false;
        if let Some(matcher) = self.matcher.as_mut().filter(|_| replay.is_none()) {
            if !matcher.accept(id) {
                let why = "no token of this model goes on as the grammar asks";
                return Err(Error::chapter(why));
            }
            is_over = matcher.must_end();
        }
        let token = likely.map(|count| likeliness(id, logits, count));
        let piece = self.stream.push(id)?;
        let mut text = piece.text;
        let is_long = self.generated() == request.max_new_tokens();
        let finish = match (piece.stopped, is_over || is_long) {
            (true, _) => Some(FinishReason::Stop),
            (false, true) => {
                text.push_str(&self.stream.finish());
                Some(if is_over { FinishReason::Stop } else { FinishReason::Length })
            }
            (false, false) => None,
        };
        Ok(Step { text, token, finish })
    }
}

/// How likely token `id` was, and the `count` likeliest.
fn likeliness(id: u32, logits: &[f32], count: usize) -> Token {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(libm::expf(logit - largest))).sum();
    let log_sum = largest + libm::log(sum) as f32;
    let likely = best(logits, count).into_iter().map(|(id, logit)| (id, logit - log_sum));
    Token { id, logprob: logits[id as usize] - log_sum, likely: likely.collect() }
}
