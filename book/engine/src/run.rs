use ch02_kv_cache::cache as ch02;
use ch02_kv_cache::softmax::softmax;
use ch03_in_a_browser::cache as ch03;
use ground::cli::{CommonArgs, Switch};
use ground::config::QWEN3;
use ground::error::Error;
use ground::request::{Request, best};
use ground::sample::{Sampler, Sampling};
use ground::stream::TextStream;
use serde::Serialize;

use crate::attention;
use crate::digest::Digest;
use crate::model::{Model, row_bytes};
use crate::shares::shares;

/// What a page asks for beside the prompt.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    pub chapter_3: bool, // otherwise chapter 2 computes
    pub cache: bool,
    pub chat: bool,
    pub new_tokens: usize,
    pub ignore_eos: bool,
}

/// A reply that is computed one token at a time.
pub struct Run {
    model: &'static Model,
    request: Request,
    sampler: Sampler,
    stream: TextStream<'static>,
    forward: Pass,
    looking: Box<dyn ch02::KvCache>, // for questions about attention
    ids: Vec<u32>,                   // of the prompt and the reply so far
    logits: Vec<Vec<f32>>,           // from which each token of the reply was chosen
    computed: usize,                 // rows so far, each for one token
    digest: Digest,
    limit: &'static str, // what ends a reply that the model does not end: "length" or "context"
    ended: Option<&'static str>,
}

/// What one forward pass gives.
struct Forward {
    logits: Vec<f32>,
    rows: usize,  // computed
    kept: usize,  // rows in the cache
    bytes: usize, // that these take
}

impl Run {
    pub fn begin(
        model: &'static Model,
        prompt: &str,
        wish: Wish,
        sampling: &Sampling,
    ) -> Result<Run, Error> {
        let arguments = arguments(prompt, wish, sampling);
        let request = arguments.request(model.file, model.config(), &model.tokenizer)?;
        // The last token is never fed back.
        let positions = request.prompt_ids().len() + request.max_new_tokens().saturating_sub(1);
        let cut = request.max_new_tokens() < wish.new_tokens;
        let limit = if cut { "context" } else { "length" };
        let looking = ch02::Mode::Contiguous.cache(model.config(), positions)?;
        Ok(Run {
            sampler: Sampler::new(request.sampling().clone())?,
            stream: TextStream::new(&model.tokenizer, request.stop()),
            forward: if wish.chapter_3 {
                chapter_3(model, wish.cache, positions)?
            } else {
                chapter_2(model, wish.cache, positions)?
            },
            looking: looking.expect("this mode is a cache"),
            ids: request.prompt_ids().to_vec(),
            logits: Vec::new(),
            computed: 0,
            digest: Digest::default(),
            ended: (request.max_new_tokens() == 0).then_some(limit),
            limit,
            model,
            request,
        })
    }

    /// Cuts the text after its first `kept` tokens, and has another one there. From here on all is as if these
    /// tokens had been the prompt, drawn tokens and digest too; the rows of those that stay aren't computed again.
    pub fn branch(
        &mut self,
        kept: usize,
        id: u32,
        sampling: &Sampling,
    ) -> Result<Begun, Error> {
        let (prompt, there) = (self.request.prompt_ids().len(), self.ids.len());
        if !(prompt..there).contains(&kept) {
            let last = there.saturating_sub(1);
            return Err(Error::chapter(format!(
                "the text cannot be cut after {kept} tokens: expected {prompt} to {last}"
            )));
        }
        check("token", id as usize, self.model.config().vocab)?;
        self.sampler = Sampler::new(sampling.clone())?;
        self.ids.truncate(kept);
        self.ids.push(id);
        self.logits.truncate(kept - prompt + 1);
        self.computed = self.computed.min(kept);
        self.looking.truncate(kept);
        self.digest = Digest::default();
        self.stream = TextStream::new(&self.model.tokenizer, self.request.stop());
        self.ended = self.end(id);
        self.begun()
    }

    /// Why the reply is complete after this token, if it is.
    fn end(&self, id: u32) -> Option<&'static str> {
        let most = self.request.prompt_ids().len() + self.request.max_new_tokens();
        match self.request.eos_ids().contains(&id) {
            true => Some("eos"),
            false => (self.ids.len() == most).then_some(self.limit),
        }
    }

    pub fn begun(&self) -> Result<Begun, Error> {
        let text = |&id| self.model.tokenizer.token_text(id);
        let tokens = self.ids.iter().map(text).collect::<Result<_, _>>()?;
        Ok(Begun { tokens, ended: self.ended })
    }

    /// One turn of the chapters' loop in `generate.rs`.
    pub fn step(&mut self) -> Result<Step, Error> {
        if let Some(ended) = self.ended {
            return Err(Error::chapter(format!(
                "the reply has ended ({ended}): begin another"
            )));
        }
        let Forward { logits, rows, kept, bytes } = (self.forward)(&self.ids)?;
        self.computed = self.ids.len();
        self.digest.add(&logits);
        let id = self.sampler.next(&logits, &self.ids);
        self.ids.push(id);

        let mut text = String::new();
        self.ended = self.end(id);
        if self.ended != Some("eos") {
            text.push_str(&self.stream.push(id)?.text);
        }
        if self.ended.is_some() {
            text.push_str(&self.stream.finish());
        }
        Ok(Step {
            id,
            token: self.model.tokenizer.token_text(id)?,
            text,
            computed: rows,
            rows: kept,
            cache_bytes: bytes,
            likely: self.likely(&logits)?,
            ended: self.ended,
            digest: self.digest.text(),
        })
        .inspect(|_| self.logits.push(logits))
    }

    /// The most likely tokens and their shares of all.
    fn likely(&self, logits: &[f32]) -> Result<Vec<Likely>, Error> {
        let best = best(logits, 5);
        let mut weights = logits.to_vec();
        softmax(&mut weights);
        let likely = |(id, _)| {
            let text = self.model.tokenizer.token_text(id)?;
            Ok(Likely { id, text, share: weights[id as usize] })
        };
        best.into_iter().map(likely).collect()
    }

    /// What these settings make of the logits from which the token at `position` was chosen.
    pub fn shares(&self, position: usize, sampling: &Sampling) -> Result<Shares, Error> {
        sampling.check()?;
        let prompt = self.request.prompt_ids().len();
        let there = self.logits.get(position.wrapping_sub(prompt)).ok_or_else(|| {
            Error::chapter(format!("no token was chosen at position {position}"))
        })?;
        let all = shares(there, sampling);
        let candidates = all.iter().filter(|(_, drawn, _)| *drawn > 0.0).count();
        let told = |&(id, drawn, plain): &(u32, f64, f64)| {
            Ok(Share { id, text: self.model.tokenizer.token_text(id)?, drawn, plain })
        };
        let shares = all.iter().take(8).map(told).collect::<Result<_, Error>>()?;
        Ok(Shares { candidates, shares })
    }

    pub fn attention(
        &mut self,
        layer: usize,
        head: usize,
        position: usize,
    ) -> Result<Attention, Error> {
        let config = self.model.config();
        check("layer", layer, config.layers)?;
        check("head", head, config.heads)?;
        let weights = self.looked(position, layer + 1)?.swap_remove(layer).swap_remove(head);
        Ok(Attention { weights })
    }

    /// The same of every head of every layer.
    pub fn heads(&mut self, position: usize) -> Result<Heads, Error> {
        Ok(Heads { weights: self.looked(position, self.model.config().layers)? })
    }

    fn looked(&mut self, position: usize, layers: usize) -> Result<Vec<Vec<Vec<f32>>>, Error> {
        check("row for position", position, self.computed)?;
        let (model, cache) = (&self.model.ch02, &mut *self.looking);
        attention::weights(model, cache, &self.ids, position, layers)
    }
}

fn check(what: &str, asked: usize, there: usize) -> Result<(), Error> {
    if asked < there {
        return Ok(());
    }
    let range = there.checked_sub(1).map_or("none".into(), |last| format!("0 to {last}"));
    Err(Error::chapter(format!("there is no {what} {asked}: found {range}")))
}

/// What would be typed to ask a chapter for the same.
fn arguments(prompt: &str, wish: Wish, sampling: &Sampling) -> CommonArgs {
    let Sampling { temperature, top_k, top_p, repetition_penalty, seed } = *sampling;
    CommonArgs {
        prompt: Some(prompt.into()),
        model: None,
        max_new_tokens: Some(wish.new_tokens),
        temperature,
        top_k,
        top_p,
        repetition_penalty,
        seed,
        stop: Vec::new(),
        ignore_eos: wish.ignore_eos,
        chat: wish.chat,
        families: &[QWEN3],
        system: None,
        think: Switch::Off,
        token_ids: None,
        json: false,
        top_logits: 0,
        layer_states: false,
    }
}

type Pass = Box<dyn FnMut(&[u32]) -> Result<Forward, Error>>;

/// The same lines for each chapter, whose types differ. `$ids` are all ids so far: without a cache all of
/// them are computed, with it those that it does not hold. After a branch it holds rows of tokens that are gone.
macro_rules! chapter {
    ($name:ident, $chapter:ident) => {
        fn $name(model: &'static Model, cache: bool, positions: usize) -> Result<Pass, Error> {
            let mode = if cache { $chapter::Mode::Contiguous } else { $chapter::Mode::Off };
            let mut cache = mode.cache(model.config(), positions)?;
            Ok(Box::new(move |ids| {
                if let Some(cache) = &mut cache
                    && cache.shape().length >= ids.len()
                {
                    cache.truncate(ids.len() - 1);
                }
                let position = cache.as_ref().map_or(0, |cache| cache.shape().length);
                let logits =
                    model.$chapter.forward(&ids[position..], position, cache.as_deref_mut())?;
                let shape = cache.as_ref().map(|cache| cache.shape());
                let kept = shape.map_or(0, |shape| shape.length);
                let row = shape.map_or(0, |shape| row_bytes(shape.layers, shape.width));
                Ok(Forward { logits, rows: ids.len() - position, kept, bytes: kept * row })
            }))
        }
    };
}

chapter!(chapter_2, ch02);
chapter!(chapter_3, ch03);

#[derive(Serialize)]
pub struct Begun {
    tokens: Vec<String>, // of the prompt
    ended: Option<&'static str>,
}

#[derive(Serialize)]
pub struct Step {
    id: u32,
    token: String,      // the new one, by its name
    text: String,       // what it adds to the reply, whole characters only
    computed: usize,    // rows of this forward pass
    rows: usize,        // that the cache holds
    cache_bytes: usize, // that these take
    likely: Vec<Likely>,
    ended: Option<&'static str>, // "eos", "length" or "context"
    digest: String,              // of all logits so far
}

#[derive(Serialize)]
struct Likely {
    id: u32,
    text: String,
    share: f32,
}

#[derive(Serialize)]
pub struct Attention {
    weights: Vec<f32>,
}

#[derive(Serialize)]
pub struct Heads {
    weights: Vec<Vec<Vec<f32>>>, // [layers][heads][keys]
}

#[derive(Serialize)]
pub struct Shares {
    candidates: usize, // that could be drawn
    shares: Vec<Share>,
}

#[derive(Serialize)]
struct Share {
    id: u32,
    text: String,
    drawn: f64, // its share of the draw
    plain: f64, // and what it would be without any setting
}
