use std::io;
use std::time::Duration;

use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;

use crate::events;
use crate::generate::generate;
use crate::metrics::metrics;
use crate::model::Model;
use crate::recorder::{Recorder, milliseconds, system_clock};
use crate::report::Report;
use crate::roofline::{BytesRead, kv_bytes_per_position};

/// A model that is loaded and checked: it serves one request after the other.
pub struct Session {
    pub tokenizer: Tokenizer,
    pub model: Model,
    stored_as: &'static str,
    load_ms: f64,
}

impl Session {
    /// The clock was started before the file was opened.
    pub fn open(file: &Gguf, clock: impl Fn() -> Duration) -> Result<Session, Error> {
        let tokenizer = Tokenizer::from_gguf(file)?;
        let model = Model::load(file, Config::from_gguf(file)?)?;
        let load_ms = milliseconds(clock());
        // The type that most of the file has: that of the layers' matrices.
        let stored_as = file.tensor("blk.0.attn_q.weight")?.stored.name();
        Ok(Session { tokenizer, model, stored_as, load_ms })
    }

    /// One whole run, and what it cost.
    pub fn generate(
        &self,
        request: &Request,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(Generation, Report), Error> {
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        let forward = |ids: &[u32]| Ok(self.model.forward(ids));
        let generation = generate(request, &self.tokenizer, &mut recorder, forward, print)?;
        let ended = request.ending(generation.finish_reason);
        events::ended(ended);
        let report = self.report(&recorder, &generation, ended);
        Ok((generation, report))
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
            weight_bytes: weights.bytes,
            load_ms: self.load_ms,
            ended,
            forwards: recorder.forwards.clone(),
            ..Report::new(config, metrics, bytes)
        }
    }
}
