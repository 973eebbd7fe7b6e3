use std::cell::OnceCell;
use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::{Machine, peak_memory, read_bandwidth};
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;

use crate::Args;
use crate::backend::Backend;
use crate::cache::{KvCache, Lent, Mode};
use crate::generate::generate;
use crate::metrics::{Metrics, milliseconds};
use crate::model::Model;
use crate::profile;
use crate::recorder::{Recorder, system_clock};
use crate::report::Report;
use crate::roofline::Roofline;

/// Everything that a run needs, loaded and checked.
pub struct Session<'a> {
    pub tokenizer: Tokenizer,
    pub request: Request,
    pub model: Model<'a>,
    prefill_chunk: usize,
    flags: Vec<String>,
    stored_as: &'static str,
    load_ms: f64,
    bandwidth: OnceCell<f64>, // bytes per second
}

impl<'a> Session<'a> {
    pub fn open(
        file: &'a Gguf,
        clock: impl Fn() -> Duration, // started before the file was opened
        args: &Args,
        flags: Vec<String>,
    ) -> Result<Session<'a>, Error> {
        let backend = Backend::choose(&args.backend)?;
        let tokenizer = Tokenizer::from_gguf(file)?;
        let config = Config::from_gguf(file)?;
        let request = args.common.request(file, &config, &tokenizer)?;
        let model = Model::load(file, backend)?;
        let load_ms = milliseconds(clock());
        // The type that most of the file has: that of the layers' matrices.
        let stored_as = file.tensor("blk.0.attn_q.weight")?.stored.name();
        let bandwidth = OnceCell::new();
        // Without the flag the prompt is one piece, however long.
        let prefill_chunk = args.prefill_chunk.map_or(usize::MAX, NonZeroUsize::get);
        Ok(Session {
            tokenizer,
            request,
            model,
            prefill_chunk,
            flags,
            stored_as,
            load_ms,
            bandwidth,
        })
    }

    /// One whole run, and what it cost.
    pub fn generate(
        &self,
        request: &Request,
        kv: Option<Mode>,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(Generation, Report), Error> {
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        // The last token is never fed back.
        let positions = (request.prompt_ids.len() + request.max_new_tokens).saturating_sub(1);
        let mut cache = kv.map(|mode| mode.cache(&self.model.config, positions));
        let forward = |ids: &[u32], position: usize, cache: Lent| {
            Ok(self.model.forward_in_chunks(ids, position, cache, self.prefill_chunk)?)
        };
        let generation = generate(
            request,
            &self.tokenizer,
            &mut recorder,
            cache.as_deref_mut(),
            forward,
            print,
        )?;
        let report = self.report(&recorder, &generation, cache.as_deref());
        Ok((generation, report))
    }

    fn report(
        &self,
        recorder: &Recorder,
        generation: &Generation,
        cache: Option<&dyn KvCache>,
    ) -> Report {
        let (prompt, generated) = (generation.prompt_ids.len(), generation.generated_ids.len());
        let metrics = Metrics::new(recorder, prompt, generated);
        // Before the bandwidth is measured: that takes memory of its own.
        let peak_memory_bytes = peak_memory();
        let roofline = Roofline::new(
            &self.model.config,
            self.model.weights.bytes_per_token(),
            // The decode steps stand behind `prompt` to `prompt + generated - 2` tokens: the middle.
            prompt + generated.saturating_sub(2) / 2,
            *self.bandwidth.get_or_init(read_bandwidth),
            metrics.decode_tokens_per_second,
        );
        Report {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            flags: self.flags.clone(),
            machine: Machine::describe(),
            model: self.model.config.name.clone(),
            stored_as: self.stored_as,
            backend: self.model.backend.name(),
            weight_bytes: self.model.weights.bytes,
            load_ms: self.load_ms,
            cache: cache.map(KvCache::shape),
            metrics,
            roofline,
            peak_memory_bytes,
            forwards: recorder.forwards.clone(),
            profile: profile::finish(),
        }
    }
}
