//! What the command lines of all chapters share: arguments, the way to a checked request, and output.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use crate::chat::{self, Message};
use crate::config::Config;
use crate::embedded;
use crate::error::Error;
use crate::gguf::Gguf;
use crate::request::{Generation, Request};
use crate::sample::{Sampler, Sampling};
use crate::tokenizer::Tokenizer;

/// The arguments that every chapter understands.
#[derive(Args, Clone, Debug)]
pub struct CommonArgs {
    /// The text to continue; with --chat, the question to answer
    #[arg(default_value = "Once upon a time")]
    pub prompt: String,

    /// A Qwen3 model in GGUF format [default: the tiny model inside this program]
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// Generate at most this many tokens
    #[arg(short = 'n', long, value_name = "N", default_value_t = 160)]
    pub max_new_tokens: usize,

    /// 0 always takes the most likely token; higher values take more chances
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_negative_numbers = true)]
    pub temperature: f32,

    /// Choose among the K most likely tokens only; 0 means all
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub top_k: usize,

    /// Choose among the fewest tokens whose probabilities reach P; 1 means all
    #[arg(long, value_name = "P", default_value_t = 1.0, allow_negative_numbers = true)]
    pub top_p: f32,

    /// Make tokens that were already seen less likely; 1 means no penalty
    #[arg(long, value_name = "R", default_value_t = 1.0, allow_negative_numbers = true)]
    pub repetition_penalty: f32,

    /// Start of the random numbers: the same seed gives the same text
    #[arg(long, default_value_t = 0)]
    pub seed: u64,

    /// Stop before this text; may be given more than once
    #[arg(long, value_name = "STRING")]
    pub stop: Vec<String>,

    /// Do not stop at the model's end tokens (for measurements of a fixed length)
    #[arg(long)]
    pub ignore_eos: bool,

    /// Wrap the prompt in the model's chat template
    #[arg(long)]
    pub chat: bool,

    /// With --chat: whether the model may think before it answers
    #[arg(long, value_enum, default_value_t = Switch::Off)]
    pub think: Switch,

    /// Raw token ids in place of PROMPT, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "chat")]
    pub token_ids: Option<Vec<u32>>,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// With --json: the K best logits of every step
    #[arg(long, value_name = "K", default_value_t = 0, requires = "json")]
    pub top_logits: usize,
}

/// On or off, spelled out on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

impl CommonArgs {
    /// Opens the file that `--model` names, or the embedded model.
    pub fn open_model(&self) -> Result<Gguf, Error> {
        match &self.model {
            None => Ok(embedded::tiny_qwen3()?),
            Some(path) => {
                Gguf::open(path).map_err(|source| Error::Model { path: path.clone(), source })
            }
        }
    }

    /// Turns the arguments into a request that this model can serve, or says why it cannot.
    pub fn request(
        &self,
        file: &Gguf,
        config: &Config,
        tokenizer: &Tokenizer,
    ) -> Result<Request, Error> {
        let prompt_ids = self.prompt_ids(file, tokenizer)?;
        if prompt_ids.is_empty() {
            return Err(Error::Prompt(
                "the prompt is empty: give the model at least one token to continue".into(),
            ));
        }
        if let Some(id) = prompt_ids.iter().find(|&&id| id as usize >= config.vocab) {
            return Err(Error::Prompt(format!(
                "token id {id} is not in the vocabulary: this model has ids 0 to {}",
                config.vocab - 1
            )));
        }
        // The last generated token is never fed back, so the context holds one more than it seems.
        let room = (config.context_length + 1).saturating_sub(prompt_ids.len());
        if room == 0 {
            return Err(Error::Prompt(format!(
                "the prompt has {} tokens, but this model's context holds {}: shorten the prompt",
                prompt_ids.len(),
                config.context_length
            )));
        }
        let sampling = Sampling {
            temperature: self.temperature,
            top_k: self.top_k,
            top_p: self.top_p,
            repetition_penalty: self.repetition_penalty,
            seed: self.seed,
        };
        Sampler::new(sampling.clone())?;
        if self.stop.iter().any(String::is_empty) {
            return Err(Error::Prompt(
                "a stop string is empty: it would end every reply at once".into(),
            ));
        }
        Ok(Request {
            prompt_ids,
            max_new_tokens: self.max_new_tokens.min(room),
            eos_ids: if self.ignore_eos { Vec::new() } else { config.eos_ids.clone() },
            stop: self.stop.clone(),
            sampling,
            top_logits: self.top_logits,
        })
    }

    fn prompt_ids(&self, file: &Gguf, tokenizer: &Tokenizer) -> Result<Vec<u32>, Error> {
        if let Some(ids) = &self.token_ids {
            return Ok(ids.clone());
        }
        if !self.chat {
            return Ok(tokenizer.encode(&self.prompt)?);
        }
        let template = file.text("tokenizer.chat_template")?;
        let messages = [Message { role: "user".into(), content: self.prompt.clone() }];
        let text = chat::render(template, &messages, self.think == Switch::On, true)?;
        Ok(tokenizer.encode(&text)?)
    }

    /// Prints the text that is about to be continued. A chat question or raw ids are not echoed.
    pub fn begin(&self) -> io::Result<()> {
        if self.chat || self.token_ids.is_some() { Ok(()) } else { self.print(&self.prompt) }
    }

    /// Prints one piece of text as soon as it exists; with `--json` the text waits for [`Self::report`].
    pub fn print(&self, piece: &str) -> io::Result<()> {
        if self.json || piece.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(piece.as_bytes())?;
        out.flush()
    }

    /// Ends the output: a newline after the text, or the whole result as one JSON object.
    pub fn report(&self, generation: &Generation, metrics: Option<Value>) -> Result<(), Error> {
        #[derive(Serialize)]
        struct Report<'a> {
            #[serde(flatten)]
            generation: &'a Generation,
            #[serde(skip_serializing_if = "Option::is_none")]
            metrics: Option<Value>,
        }
        let mut out = io::stdout().lock();
        if self.json {
            let report = Report { generation, metrics };
            serde_json::to_writer(&mut out, &report).map_err(io::Error::from)?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// The whole `main` of a program: runs it and turns its result into one line and an exit status:
/// 0 done, 1 failed, 2 not understood.
pub fn main(run: fn(Vec<OsString>) -> Result<(), Error>) -> ExitCode {
    match run(std::env::args_os().collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Usage(error)) => error.exit(),
        // Whoever closed the pipe (`| head`) has read enough: that is no failure.
        Err(Error::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`: it would panic when standard error is closed.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
