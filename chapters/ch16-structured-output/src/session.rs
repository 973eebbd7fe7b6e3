use std::io;
use std::time::Duration;

use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::peak_memory;
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;
use serde_json::json;

use crate::layers::Layers;
use ch08_f16_cache::cache::{KvType, Shape};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::context::Context;
use ch08_f16_cache::events;
use ch08_f16_cache::generate::generate;
use ch08_f16_cache::how::How;
use ch08_f16_cache::memory::{Memory, kv_bytes_per_position};
use ch08_f16_cache::metrics::metrics;
use ch08_f16_cache::model::Model;
use ch08_f16_cache::recorder::{Recorder, milliseconds, system_clock};
use ch08_f16_cache::report::{Fact, Report, megabytes};
use ch08_f16_cache::roofline::BytesRead;
use ch08_f16_cache::run_progress::RunProgress;

/// A model that is loaded and checked: it serves one request after the other.
pub struct Session<'a> {
    pub file: &'a Gguf,
    pub tokenizer: Tokenizer,
    pub model: Model<'a>,
    pub layers: &'a Layers<'a>,
    stored_as: &'static str,
    load_ms: f64,
    before_weights: u64, // bytes
}

impl<'a> Session<'a> {
    /// The clock was started before the file was opened.
    pub fn open(
        file: &'a Gguf,
        clock: impl Fn() -> Duration,
        compute: ComputeContext,
        kv_type: KvType,
    ) -> Result<Session<'a>, Error> {
        let tokenizer = Tokenizer::from_gguf(file)?;
        let before_weights = peak_memory().unwrap_or(0);
        let (layers, model) = Layers::load(file, compute, kv_type)?;
        let load_ms = milliseconds(clock());
        // The type that most of the file has: that of the layers' matrices.
        let stored_as = file.tensor("blk.0.attn_q.weight")?.stored.name();
        Ok(Session { file, tokenizer, model, layers, stored_as, load_ms, before_weights })
    }

    /// One whole run, and what it cost.
    pub fn generate(
        &self,
        request: &Request,
        how: &How,
        context: &mut Context,
        watch: &mut dyn FnMut(RunProgress) -> bool,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(Generation, Report), Error> {
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        // The last token is never fed back.
        let prompt = request.prompt_ids().len();
        let positions = prompt + request.max_new_tokens().saturating_sub(1);
        let memory = self.memory(how, positions);
        let generation = self.extend(context, request, &mut recorder, watch, print)?;
        let ended = request.ending(generation.finish_reason);
        events::ended(ended);
        let report = self.report(&recorder, &generation, ended);
        let memory = Fact { text: memory.to_string(), value: json!(memory) };
        let report = Report {
            cache: Some(cache_fact(context.shape())),
            memory_in_advance_bytes: Some(memory),
            ..report
        };
        Ok((generation, report))
    }

    /// The memory that so many positions will take.
    pub fn memory(&self, how: &How, positions: usize) -> Memory {
        Memory::new(&self.model, how, positions, self.before_weights)
    }

    /// Computes what the context does not hold of a request, and its reply.
    pub fn extend(
        &self,
        context: &mut Context,
        request: &Request,
        recorder: &mut Recorder,
        watch: &mut dyn FnMut(RunProgress) -> bool,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<Generation, Error> {
        let prompt = request.prompt_ids().len();
        let forward = |context: &mut Context, ids: &[u32]| {
            let position = context.ids().len();
            let new = position + ids.len() - prompt; // tokens of the reply
            let far = |done| RunProgress { done: done - position, all: ids.len(), new };
            let mut watch = |done| watch(far(done));
            Ok(context.forward(&self.model, ids, &mut watch)?)
        };
        generate(request, &self.tokenizer, recorder, context, forward, print)
    }

    fn report(&self, recorder: &Recorder, reply: &Generation, ended: &'static str) -> Report {
        let (prompt, generated) = (reply.prompt_ids.len(), reply.generated_ids.len());
        let metrics = metrics(recorder, prompt, generated);
        let (config, weights) = (&self.model.config, &self.model.weights);
        let per_position = kv_bytes_per_position(config, self.model.kv_type);
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
        let Shape { kind, kv_type, length, memory_bytes, .. } = shape;
        format!("{kind}, {kv_type:?}: {length} positions, {}", megabytes(memory_bytes))
    });
    Fact { text, value: json!(shape) }
}
