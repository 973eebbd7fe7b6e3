use std::io;
use std::time::Duration;

use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;
use serde_json::json;

use crate::cache::{Lent, Mode, Shape};
use crate::compute::ComputeContext;
use crate::events;
use crate::generate::generate;
use crate::metrics::metrics;
use crate::model::Model;
use crate::recorder::{Recorder, milliseconds, system_clock};
use crate::report::{Fact, Report, megabytes};
use crate::roofline::{BytesRead, kv_bytes_per_position};

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
        events::ended(ended);
        let report = self.report(&recorder, &generation, ended);
        let cache = Some(cache_fact(cache.map(|cache| cache.shape())));
        Ok((generation, Report { cache, ..report }))
    }

    fn report(&self, recorder: &Recorder, reply: &Generation, ended: &'static str) -> Report {
        let (prompt, generated) = (reply.prompt_ids.len(), reply.generated_ids.len());
        let metrics = metrics(recorder, prompt, generated);
        let (config, weights) = (&self.model.config, &self.model.weights);
        let per_position = kv_bytes_per_position(config);
        let bytes = BytesRead { weights: weights.bytes_per_token(), per_position };
        Report {
            program: env!("CARGO_PKG_NAME"),
            stored_as: self.stored_as,
            backend: Some(self.model.compute.backend.name()),
            threads: Some(self.model.compute.threads()),
            weight_bytes: weights.bytes,
            load_ms: self.load_ms,
            ended,
            forwards: recorder.forwards.clone(),
            ..Report::new(config, metrics, bytes)
        }
    }
}

/// What the report says of the cache.
fn cache_fact(shape: Option<Shape>) -> Fact {
    let text = shape.map_or("off".into(), |shape| {
        let Shape { kind, length, memory_bytes, .. } = shape;
        format!("{kind}: {length} positions, {}", megabytes(memory_bytes))
    });
    Fact { text, value: json!(shape) }
}
