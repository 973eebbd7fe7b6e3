//! What the command lines of all chapters share: the arguments, and the way from them to a request.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};

use crate::chat::{ChatTemplate, Message};
use crate::config::{Config, Family, QWEN3};
use crate::embedded;
use crate::error::Error;
use crate::gguf::Gguf;
use crate::output::Output;
use crate::request::{Options, Request, RequestError};
use crate::sample::Sampling;
use crate::tokenizer::Tokenizer;

/// The arguments that every chapter understands.
#[derive(Args, Clone, Debug)]
pub struct CommonArgs {
    /// The text to continue; with --chat, the question to answer [default: "Once upon a time"]
    #[arg(long_help = "The text to continue; with --chat, the question to answer\n\n\
                     [default: \"Once upon a time\"]")]
    pub prompt: Option<String>,

    /// A Qwen3 model in GGUF format, or the name of one in models/ [default: the tiny model inside this program]
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// Generate at most this many tokens [default: 160]
    #[arg(
        long_help = "Generate at most this many tokens\n\n[default: 160]",
        short = 'n',
        long,
        value_name = "N",
        value_parser = tokens,
        allow_negative_numbers = true
    )]
    pub max_new_tokens: Option<usize>,

    /// 0 always takes the most likely token; higher values take more chances
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_negative_numbers = true)]
    pub temperature: f32,

    /// Choose among the K most likely tokens only; 0 means all
    #[arg(
        long,
        value_name = "K",
        default_value_t = 0,
        value_parser = count,
        allow_negative_numbers = true
    )]
    pub top_k: usize,

    /// Choose among the fewest tokens whose probabilities reach P; 1 means all
    #[arg(long, value_name = "P", default_value_t = 1.0, allow_negative_numbers = true)]
    pub top_p: f32,

    /// Make tokens that were already seen less likely; 1 means no penalty
    #[arg(long, value_name = "R", default_value_t = 1.0, allow_negative_numbers = true)]
    pub repetition_penalty: f32,

    /// Start of the random numbers: the same seed gives the same text
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
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

    /// In a chat: whether the model may think before it answers
    #[arg(long, value_enum, default_value_t = Switch::Off)]
    pub think: Switch,

    /// Which models are run: not a flag of every chapter.
    #[arg(skip = &[QWEN3] as &[Family])]
    pub families: &'static [Family],

    /// What the model is told before the question: not a flag of every chapter.
    #[arg(skip)]
    pub system: Option<String>,

    /// Raw token ids in place of PROMPT, separated by commas
    #[arg(
        long,
        value_name = "IDS",
        value_delimiter = ',',
        allow_negative_numbers = true,
        conflicts_with_all = ["chat", "prompt"]
    )]
    pub token_ids: Option<Vec<u32>>,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// With --json: the K best logits of every step
    #[arg(
        long,
        value_name = "K",
        default_value_t = 0,
        value_parser = count,
        allow_negative_numbers = true,
        requires = "json"
    )]
    pub top_logits: usize,

    /// With --json: the state of every position after the embedding and after each layer
    #[arg(long, requires = "json")]
    pub layer_states: bool,
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
        let file = open_model(self.model.as_deref())?;
        // A chapter reads the tokenizer first, and of another model's it could only say that it is another.
        Config::of(&file, self.families)?;
        Ok(file)
    }

    /// Turns the arguments into a request that this model can serve, or says why it cannot.
    pub fn request(
        &self,
        file: &Gguf,
        config: &Config,
        tokenizer: &Tokenizer,
    ) -> Result<Request, Error> {
        if self.think == Switch::On && !self.chat {
            let reason = "--think needs --chat\n";
            return Err(clap::Error::raw(ErrorKind::MissingRequiredArgument, reason).into());
        }
        let options = self.options(Options::default().max_new_tokens);
        Ok(Request::new(self.prompt_ids(file, config, tokenizer)?, options, config)?)
    }

    /// What was chosen about replies: of `max_new_tokens`, if nothing else was said.
    pub fn options(&self, max_new_tokens: usize) -> Options {
        Options {
            max_new_tokens: self.max_new_tokens.unwrap_or(max_new_tokens),
            ignore_eos: self.ignore_eos,
            stop: self.stop.clone(),
            sampling: Sampling {
                temperature: self.temperature,
                top_k: self.top_k,
                top_p: self.top_p,
                repetition_penalty: self.repetition_penalty,
                seed: self.seed,
            },
            top_logits: self.top_logits,
        }
    }

    /// The text to continue: a story's beginning, where none is given.
    fn prompt(&self) -> &str {
        self.prompt.as_deref().unwrap_or("Once upon a time")
    }

    fn prompt_ids(
        &self,
        file: &Gguf,
        config: &Config,
        tokenizer: &Tokenizer,
    ) -> Result<Vec<u32>, Error> {
        let fits = |text: &str| check_length(text, config.context_length, tokenizer);
        if let Some(ids) = &self.token_ids {
            return Ok(ids.clone());
        }
        if !self.chat {
            fits(self.prompt())?;
            return Ok(tokenizer.encode(self.prompt())?);
        }
        let template = ChatTemplate::of(file, tokenizer)?;
        let system = self.system.iter().map(|text| ("system", text.as_str()));
        let said = system.chain([("user", self.prompt())]);
        let messages: Vec<Message> = said
            .map(|(role, text)| Message { role: role.into(), content: text.into() })
            .collect();
        let rendered = template.render(&messages, self.think == Switch::On, true)?;
        fits(&rendered.text())?;
        template.encode(&rendered)
    }

    /// Begins the output of a reply. A chat question or raw ids are not echoed.
    pub fn begin(&self) -> io::Result<Output> {
        let echoed = !self.chat && self.token_ids.is_none();
        Output::begin(if echoed { self.prompt() } else { "" }, self.json, self.layer_states)
    }
}

/// Opens the file at `path`, or without one the embedded model. A mere name may be one of a downloaded model.
pub fn open_model(path: Option<&Path>) -> Result<Gguf, Error> {
    let Some(path) = path else { return Ok(embedded::tiny_qwen3()?) };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let beside = [Path::new("models").into(), root.unwrap_or(path).join("models")];
    let found = find_model(path, &beside).ok_or_else(|| Error::NoModel(path.into()))?;
    Gguf::open(&found).map_err(|source| Error::Model { path: found, source })
}

/// Where a model of this name is: here, or in one of `folders`, with or without its `.gguf`. What has a
/// folder in front is a path, and stays as it is.
pub fn find_model(name: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    if name.components().count() != 1 || name.file_name().is_none() || name.exists() {
        return Some(name.into());
    }
    let mut file = name.as_os_str().to_owned();
    file.push(".gguf"); // not `with_extension`: of Qwen3-0.6B that would leave Qwen3-0
    let of_folder = |folder: &PathBuf| [folder.join(name), folder.join(&file)];
    folders.iter().flat_map(of_folder).find(|path| path.is_file())
}

/// Refuses a text that cannot fit into a context of `holds` tokens. Its tokens would say so too, but
/// to make them takes a hundred bytes for each byte of the text.
pub fn check_length(text: &str, holds: usize, tokenizer: &Tokenizer) -> Result<(), Error> {
    if text.len() <= holds {
        return Ok(());
    }
    // A text of plain letters consists of tokens that have its letters only. In others, where
    // characters are composed first, four bytes may become one.
    let plain = text.is_ascii();
    let mut occurs = [false; 256];
    text.bytes().for_each(|byte| occurs[usize::from(byte)] = true);
    let mut longest = 1;
    for id in 0..tokenizer.vocab_size() as u32 {
        let token = tokenizer.token_text(id)?;
        if !plain || token.bytes().all(|byte| occurs[usize::from(byte)]) {
            longest = longest.max(token.len());
        }
    }
    let fewest = text.len() / longest / if plain { 1 } else { 4 };
    if fewest > holds {
        return Err(RequestError::FarTooLong { bytes: text.len(), holds }.into());
    }
    Ok(())
}

fn tokens(text: &str) -> Result<usize, String> {
    count(text).map_err(|_| "-n takes a number of tokens, 0 or more".into())
}

/// A count as it is typed: a minus sign is answered with what was expected.
fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".into())
}

/// The whole `main` of a program: runs it and turns its result into one line and an exit status:
/// 0 done, 1 failed, 2 not understood. A run that Ctrl-C has ended dies of that signal, once it has said so.
pub fn main(run: fn(Vec<OsString>) -> Result<(), Error>) -> ExitCode {
    match run(std::env::args_os().collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Usage(error)) => error.exit(),
        // The user wanted it so: that is no failure.
        Err(Error::Interrupted(line)) => {
            let _ = writeln!(io::stderr(), "{line}");
            interrupted()
        }
        // A reader who closed the pipe (`| head`) has read enough: that is no failure.
        Err(Error::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`: it would panic when standard error is closed.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Ends the program as Ctrl-C would if nothing listened to it: by the signal itself. A shell ends its loop only if
/// it sees that; a status of 130 does not tell it.
pub fn interrupted() -> ! {
    let _ = io::stdout().flush(); // the signal would leave it
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGINT);
    process::exit(130)
}
