use std::cell::OnceCell;
use std::io;

use ground::cli::CommonArgs;
use ground::config::Config;
use ground::error::Error;
use ground::machine::{Machine, peak_memory, read_bandwidth};
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;

use crate::generate::generate;
use crate::metrics::{Metrics, milliseconds};
use crate::model::Model;
use crate::profile;
use crate::recorder::{Recorder, system_clock};
use crate::report::Report;
use crate::roofline::Roofline;

/// Everything that a run needs, loaded and checked.
pub struct Session {
    pub tokenizer: Tokenizer,
    pub request: Request,
    pub model: Model,
    flags: Vec<String>,
    stored_as: &'static str,
    load_ms: f64,
    bandwidth: OnceCell<f64>, // bytes per second
}

impl Session {
    pub fn open(args: &CommonArgs, flags: Vec<String>) -> Result<Session, Error> {
        let clock = system_clock();
        let file = args.open_model()?;
        let tokenizer = Tokenizer::from_gguf(&file)?;
        let config = Config::from_gguf(&file)?;
        let request = args.request(&file, &config, &tokenizer)?;
        let model = Model::load(&file)?;
        let load_ms = milliseconds(clock());
        // The type that most of the file has: that of the layers' matrices.
        let stored_as = file.tensor("blk.0.attn_q.weight")?.stored.name();
        let bandwidth = OnceCell::new();
        Ok(Session { tokenizer, request, model, flags, stored_as, load_ms, bandwidth })
    }

    /// One whole run, and what it cost.
    pub fn generate(
        &self,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(Generation, Report), Error> {
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        let forward = |ids: &[u32]| Ok(self.model.forward(ids));
        let generation =
            generate(&self.request, &self.tokenizer, &mut recorder, forward, print)?;
        let report = self.report(&recorder, &generation);
        Ok((generation, report))
    }

    fn report(&self, recorder: &Recorder, generation: &Generation) -> Report {
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
            weight_bytes: self.model.weights.bytes,
            load_ms: self.load_ms,
            metrics,
            roofline,
            peak_memory_bytes,
            forwards: recorder.forwards.clone(),
            profile: profile::finish(),
        }
    }
}
