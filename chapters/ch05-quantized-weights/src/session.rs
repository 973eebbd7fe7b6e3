use std::io;
use std::time::Duration;

use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::{Machine, peak_memory};
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;

use crate::cache::{Lent, Mode, Shape};
use crate::compute::ComputeContext;
use crate::generate::generate;
use crate::metrics::Metrics;
use crate::model::Model;
use crate::recorder::{Recorder, milliseconds, system_clock};
use crate::report::Report;
use crate::roofline::Roofline;

/// A model that is loaded and checked: it serves one request after the other.
pub struct Session<'a> {
    pub tokenizer: Tokenizer,
    pub model: Model<'a>,
    stored_as: &'static str,
    load_ms: f64,
}

impl<'a> Session<'a> {
    /// The clock was started before the file was opened.
    pub fn open(
        file: &'a Gguf,
        clock: impl Fn() -> Duration,
        compute: ComputeContext,
    ) -> Result<Session<'a>, Error> {
        let tokenizer = Tokenizer::from_gguf(file)?;
        let model = Model::load(file, Config::from_gguf(file)?, compute)?;
        let load_ms = milliseconds(clock());
        // The type that most of the file has: that of the layers' matrices.
        let stored_as = file.tensor("blk.0.attn_q.weight")?.stored.name();
        Ok(Session { tokenizer, model, stored_as, load_ms })
    }

    /// One whole run, and what it cost.
    pub fn generate(
        &self,
        request: &Request,
        kv: Mode,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(Generation, Report), Error> {
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        // The last token is never fed back.
        let positions = request.prompt_ids().len() + request.max_new_tokens().saturating_sub(1);
        let mut cache = kv.cache(&self.model.config, positions)?;
        let forward = |ids: &[u32], position: usize, cache: Lent| {
            Ok(self.model.forward(ids, position, cache)?)
        };
        let lent = cache.as_deref_mut();
        let generation =
            generate(request, &self.tokenizer, &mut recorder, lent, forward, print)?;
        let ended = request.ending(generation.finish_reason);
        tracing::info!(ended);
        let shape = cache.map(|cache| cache.shape());
        let report = self.report(&recorder, &generation, ended, shape);
        Ok((generation, report))
    }

    fn report(
        &self,
        recorder: &Recorder,
        generation: &Generation,
        ended: &'static str,
        cache: Option<Shape>,
    ) -> Report {
        let (prompt, generated) = (generation.prompt_ids.len(), generation.generated_ids.len());
        let roofline = Roofline::new(
            &self.model.config,
            self.model.weights.bytes_per_token(),
            // The decode steps come after `prompt` to `prompt + generated - 2` tokens: the middle.
            prompt + generated.saturating_sub(2) / 2,
        );
        Report {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            flags: Vec::new(),
            machine: Machine::describe(),
            model: self.model.config.name.clone(),
            stored_as: self.stored_as,
            backend: self.model.compute.backend.name(),
            threads: self.model.compute.threads(),
            weight_bytes: self.model.weights.bytes,
            load_ms: self.load_ms,
            ended,
            cache,
            metrics: Metrics::new(recorder, prompt, generated),
            roofline,
            peak_memory_bytes: peak_memory(),
            forwards: recorder.forwards.clone(),
            profile: None,
        }
    }
}
