//! Chapter 10: keys and values in blocks, which texts that begin alike share. What computes is chapter 8's.

use ch08_f16_cache as base;

pub use base::{
    attention, backend, buffer_pool, cache, commands, compare, compute, context, conversation,
    events, exp, generate, how, kernels, matmul, memory, metrics, mlp, model, norm, pass, pool,
    profile, progress_line, recorder, report, roofline, rope, run_on, run_progress, saved,
    simd, softmax, stop, sync, talk, weights,
};
pub use openai::log;

pub mod answers;
pub mod block_pool;
pub mod block_table;
pub mod decoder;
pub mod engine;
pub mod paged;
pub mod pool_map;
pub mod queue;
pub mod serve;
pub mod session;

use std::ffi::OsString;
use std::fs;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Command, CommandFactory, FromArgMatches, Parser};
use ground::chat::ChatTemplate;
use ground::checksummed_file::identity;
use ground::cli::Switch;
use ground::error::Error;
use ground::request::Request;
use ground::text::path_line;
use tokio::sync::{Semaphore, watch};

use crate::answers::answers;
use crate::conversation::context_len;
use crate::kernels::BLOCK_SIZE;
use crate::paged::Paged;
use crate::queue::Queue;
use crate::recorder::system_clock;
use crate::serve::{End, Server, serve};
use crate::session::Session;

/// Serves a Qwen3 model to programs that speak OpenAI's protocol, and to people with a browser; or answers one
/// PROMPT.
#[derive(Parser)]
#[command(version)]
pub struct ServeArgs {
    #[command(flatten)]
    pub engine: base::Args,

    #[command(flatten)]
    pub access: Access,

    #[command(flatten)]
    pub paged: Paged,
}

const PROMPT: &str =
    "The text to continue; with --chat, the question to answer. Without it: a server";

fn command() -> Command {
    ServeArgs::command().mut_arg("prompt", |prompt| prompt.help(PROMPT).long_help(PROMPT))
}

/// Who is let in, and where.
#[derive(clap::Args)]
#[group(multiple = true, conflicts_with_all = ["prompt", "token_ids", "compare", "kv"])]
pub struct Access {
    /// The address to listen on: others than this machine's own need a key, or --open
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,

    /// The port to listen on; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 8080)]
    pub port: u16,

    /// Whoever asks has to know this key; the variable SERVE_API_KEY does the same, and no list of processes shows it
    #[arg(long, value_name = "KEY", conflicts_with = "api_key_file")]
    pub api_key: Option<String>,

    /// Read the key from a file
    #[arg(long, value_name = "FILE")]
    pub api_key_file: Option<PathBuf>,

    /// Serve anybody who can reach this machine, without a key
    #[arg(long)]
    pub open: bool,

    /// Another name for the model, for clients that insist on one; * is any name
    #[arg(long, value_name = "NAME")]
    pub alias: Vec<String>,

    /// How many answers may wait to be computed
    #[arg(long, value_name = "N", default_value = "64")]
    pub queue: NonZeroUsize,

    /// How the log's lines are written: json for programs that read them
    #[arg(long, value_name = "FORM", value_parser = ["text", "json"], default_value = "text")]
    pub log_format: String,

    /// How many texts are made into tokens at once, or answers into JSON: each takes memory, and a core from the engine
    #[arg(long, value_name = "N", default_value = "1")]
    pub renderer_num_workers: NonZeroUsize,

    /// How many answers are written at a time: the more, the sooner each begins, and the slower it goes on
    #[arg(long, value_name = "N", default_value = "16")]
    pub max_num_seqs: NonZeroUsize,

    /// Show who has which blocks, a line for each change
    #[arg(long)]
    pub watch: bool,
}

impl Access {
    fn key(&self) -> Result<Option<String>, Error> {
        let key = match &self.api_key_file {
            Some(file) => {
                let text = fs::read_to_string(file);
                let why = |error| Error::chapter(format!("{}: {error}", path_line(file)));
                Some(text.map_err(why)?.trim().to_string())
            }
            None => self.api_key.clone().or_else(|| std::env::var("SERVE_API_KEY").ok()),
        };
        let is_written =
            |key: &String| !key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic());
        match key {
            Some(key) if !is_written(&key) => {
                Err(Error::chapter("the key is empty, or has spaces or letters beyond ASCII"))
            }
            None if !self.host.is_loopback() && !self.open => {
                let message = format!(
                    "{} can be reached from elsewhere: give --api-key, or --open to serve anybody",
                    self.host
                );
                Err(command().error(ErrorKind::MissingRequiredArgument, message).into())
            }
            key => Ok(key),
        }
    }
}

/// Without `--kv-room`: so many texts as long as the context can be served at once.
const TEXTS: usize = 4;

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let matches = command().try_get_matches_from(arguments)?;
    let ServeArgs { engine: args, access, paged } = ServeArgs::from_arg_matches(&matches)?;
    if args.kv.is_some() || args.compare {
        return base::answer(args, flags, env!("CARGO_PKG_NAME")); // with the caches of chapter 8
    }
    if !args.is_conversation() {
        return answers(args, &paged, flags);
    }
    args.how()?; // refuses what is about one answer
    log::set_json(access.log_format == "json");
    let key = access.key()?;
    let file = Box::leak(Box::new(args.common.open_model()?));
    let session = Session::open(file, system_clock(), args.compute()?, args.kv_type)?;
    let session: &Session = Box::leak(Box::new(session));
    let config = &session.model.config;
    let mut options = args.common.options(usize::MAX);
    let is_given = |flag| matches.value_source(flag) != Some(ValueSource::DefaultValue);
    if !is_given("temperature") {
        options.sampling.temperature = 1.0; // as OpenAI's clients expect
    }
    // Settings that make no sense are refused before the first request.
    if Request::new(vec![0], options.clone(), config)?.max_new_tokens() == 0 {
        return Err(Error::chapter("-n 0 leaves nothing to serve"));
    }
    let positions = context_len(args.context.map(NonZeroUsize::get), config)?;
    let pool = paged.pool(config, args.kv_type, TEXTS * positions)?;
    let positions = positions.min(pool.blocks * BLOCK_SIZE);
    let name = args.common.model.as_ref().and_then(|file| file.file_stem());
    let name = name.map_or("tiny-qwen3".into(), |name| name.to_string_lossy().into_owned());
    let digest = identity(config, session.file);
    let digest: String = digest[..6].iter().map(|byte| format!("{byte:02x}")).collect();
    let kv_type = format!("{:?}", session.model.kv_type).to_lowercase();
    let server: &Server = Box::leak(Box::new(Server {
        session,
        template: ChatTemplate::of(session.file, &session.tokenizer)?,
        positions,
        options,
        has_seed: is_given("seed"),
        think: args.common.think == Switch::On,
        names: [name].into_iter().chain(access.alias).collect(),
        key,
        only_loopback: access.host.is_loopback(),
        fingerprint: format!("b{digest}-{kv_type}-{}", env!("CARGO_PKG_VERSION")),
        started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        renderers: Semaphore::new(access.renderer_num_workers.get()),
        queue: Queue::new(access.queue.get(), access.max_num_seqs.get()),
        pool,
        busy: Arc::new(()),
        end: watch::Sender::new(End::Far),
    }));
    let engine = thread::Builder::new()
        .name("engine".into())
        .spawn(move || engine::work(session, &server.pool, &server.queue, access.watch))?;
    serve(server, engine, access.host, access.port)
}
