//! Chapter 16: answers that a program can read, since only those tokens may come with which they can go on.

use ch08_f16_cache as base;

pub use base::{
    attention, backend, buffer_pool, cache, commands, compare, compute, context, conversation,
    events, exp, generate, how, kernels, matmul, memory, metrics, mlp, model, norm, pass, pool,
    profile, progress_line, recorder, report, roofline, rope, run_on, run_progress, saved,
    simd, softmax, stop, sync, talk, weights,
};
pub use openai::log;

pub mod answers;
pub mod attend;
pub mod automaton;
pub mod batch;
pub mod batch_item;
pub mod block;
pub mod block_pool;
pub mod block_table;
pub mod decoder;
pub mod engine;
pub mod family;
pub mod gates;
pub mod grammar;
pub mod layers;
pub mod matcher;
pub mod neighbours;
pub mod ngram_drafter;
pub mod numbers;
pub mod paged;
pub mod pattern;
pub mod pool_map;
pub mod prefix_cache;
pub mod queue;
pub mod schedule;
pub mod schema;
pub mod serve;
pub mod session;
pub mod show;
pub mod token_trie;

use std::ffi::OsString;
use std::fs;
use std::net::IpAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Command, CommandFactory, FromArgMatches, Parser};
use ground::chat::ChatTemplate;
use ground::checksummed_file::identity;
use ground::cli::Switch;
use ground::error::Error;
use ground::request::Request;
use ground::text::path_line;
use serde_json::Value;
use tokio::sync::{Semaphore, watch};

use crate::answers::answers;
use crate::conversation::context_len;
use crate::family::PARTS;
use crate::kernels::BLOCK_SIZE;
use crate::layers::Layers;
use crate::paged::Paged;
use crate::prefix_cache::PrefixCache;
use crate::queue::Queue;
use crate::recorder::system_clock;
use crate::serve::{End, Matchers, Server, answer_lines, serve};
use crate::session::Session;
use crate::show::show;

/// Serves a model to programs that speak OpenAI's protocol, and to people with a browser; or answers one
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

    /// Guess up to N tokens in a pass, of all texts together, or off. With a PROMPT only if it's given, in green
    #[arg(long, value_name = "N", default_value = "15", value_parser = guesses, conflicts_with_all = OF_ONE.split(' '))]
    pub speculate: usize,

    /// With a PROMPT: this text shall be the answer, whatever the model says. What guesses do can be seen with any model.
    /// With --token-ids, it has ids, too
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_ONE.split(' '))]
    pub replay: Option<PathBuf>,

    /// Hold each answer to the JSON schema in FILE, if its request has none of its own
    #[arg(long = "json-schema", value_name = "FILE", conflicts_with_all = OF_ONE.split(' '), conflicts_with = "replay")]
    pub schema: Option<PathBuf>,

    /// This chat template in place of the model's own, for one that has no tools
    #[arg(long = "chat-template", value_name = "FILE", conflicts_with_all = ["prompt", "token_ids", "compare", "kv"])]
    pub jinja: Option<PathBuf>,

    /// Answer each line of a file, or of standard input if FILE is -, in place of clients: a line is what a client would
    /// send, and its answer is a line of the output
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_OTHERS)]
    pub batch: Option<PathBuf>,
}

/// Flags of a server at a port, and of a single answer.
const OF_OTHERS: [&str; 8] =
    ["prompt", "token_ids", "compare", "host", "port", "api_key", "api_key_file", "open"];

/// Flags of an answer without guesses.
const OF_ONE: &str =
    "kv compare top_logits layer_states profile timings log prefill_chunk answers";

fn guesses(text: &str) -> Result<usize, String> {
    match text {
        "off" => Ok(0),
        _ => text.parse().map_err(|_| "expected a number of tokens, or off".into()),
    }
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

    /// Read keys from a file, one a line: what one of them has asked is out of the others' reach
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

    /// How many milliseconds a pass may take while somebody writes: it has as many rows of prompts as fit into that
    #[arg(long, value_name = "MS", default_value = "150")]
    pub gap: NonZeroU64,

    /// Show who has which blocks, a line for each change
    #[arg(long)]
    pub watch: bool,

    /// Serve pages that show who is served, /v1/running, and what is kept, texts included: /v1/cache
    #[arg(long)]
    pub debug_pages: bool,
}

impl Access {
    fn keys(&self) -> Result<Vec<String>, Error> {
        let keys: Vec<String> = match &self.api_key_file {
            Some(file) => {
                let text = fs::read_to_string(file);
                let why = |error| Error::chapter(format!("{}: {error}", path_line(file)));
                text.map_err(why)?.trim().lines().map(|key| key.trim().to_string()).collect()
            }
            None => {
                let key = self.api_key.clone().or_else(|| std::env::var("SERVE_API_KEY").ok());
                key.into_iter().collect()
            }
        };
        let is_written =
            |key: &String| !key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic());
        if !keys.iter().all(is_written) || (keys.is_empty() && self.api_key_file.is_some()) {
            return Err(Error::chapter(
                "a key is empty, or has spaces or letters beyond ASCII",
            ));
        }
        if keys.is_empty() && !self.host.is_loopback() && !self.open {
            let message = format!(
                "{} can be reached from elsewhere: give --api-key, or --open to serve anybody",
                self.host
            );
            return Err(command().error(ErrorKind::MissingRequiredArgument, message).into());
        }
        Ok(keys)
    }
}

fn read(file: &Path) -> Result<String, Error> {
    let why = |error| Error::chapter(format!("{}: {error}", path_line(file)));
    fs::read_to_string(file).map_err(why)
}

fn read_schema(file: &Path) -> Result<Value, Error> {
    let why = |error| Error::chapter(format!("{}: {error}", path_line(file)));
    serde_json::from_str(&read(file)?).map_err(why)
}

/// Without `--kv-room`: so many texts as long as the context can be served at once.
const TEXTS: usize = 4;

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let matches = command().try_get_matches_from(arguments)?;
    let ServeArgs { engine: mut args, access, paged, speculate, replay, schema, jinja, batch } =
        ServeArgs::from_arg_matches(&matches)?;
    let schema = schema.as_deref().map(read_schema).transpose()?;
    args.common.families = &PARTS;
    args.load = |file, compute, kv_type| Ok(Layers::load(file, compute, kv_type)?.1);
    let is_given = |flag| matches.value_source(flag) != Some(ValueSource::DefaultValue);
    if args.kv.is_some() || args.compare {
        return base::answer(args, flags, env!("CARGO_PKG_NAME")); // with the caches of chapter 8
    }
    if !args.is_conversation() {
        return match is_given("speculate") || replay.is_some() || schema.is_some() {
            true => show(&args, &paged, speculate, replay.as_deref(), schema.as_ref()),
            false => answers(args, &paged, flags),
        };
    }
    if replay.is_some() {
        return Err(Error::chapter("--replay needs a PROMPT to answer"));
    }
    args.how()?; // refuses what is about one answer
    log::set_json(access.log_format == "json");
    let keys = access.keys()?;
    let file = Box::leak(Box::new(args.common.open_model()?));
    let session = Session::open(file, system_clock(), args.compute()?, args.kv_type)?;
    let session: &Session = Box::leak(Box::new(session));
    let config = &session.model.config;
    let mut options = args.common.options(usize::MAX);
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
    let template: &str = match &jinja {
        Some(file) => read(file)?.leak(),
        None => session.file.text("tokenizer.chat_template")?,
    };
    let (matchers, think) = (Matchers::default(), args.common.think == Switch::On);
    let held = matchers.of(&session.tokenizer, schema.as_ref(), None, think);
    held.map_err(|refusal| Error::chapter(refusal.message))?;
    let server: &Server = Box::leak(Box::new(Server {
        session,
        template: ChatTemplate::new(template, &session.tokenizer)?,
        positions,
        options,
        schema,
        matchers,
        has_seed: is_given("seed"),
        think,
        names: [name].into_iter().chain(access.alias).collect(),
        prefix_cache: Mutex::new(PrefixCache::new(&pool, keys.len().max(1))),
        keys,
        debug_pages: access.debug_pages,
        only_loopback: access.host.is_loopback(),
        fingerprint: format!("b{digest}-{kv_type}-{}", env!("CARGO_PKG_VERSION")),
        started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        renderers: Semaphore::new(access.renderer_num_workers.get()),
        // The lines of a file wait in the file.
        queue: Queue::new(
            if batch.is_some() { usize::MAX } else { access.queue.get() },
            access.max_num_seqs.get(),
        ),
        pool,
        busy: Arc::new(()),
        end: watch::Sender::new(End::Far),
    }));
    let engine = thread::Builder::new().name("engine".into()).spawn(move || {
        let gap = Duration::from_millis(access.gap.get());
        let Server { pool, prefix_cache, queue, .. } = server;
        engine::work(session, pool, prefix_cache, queue, gap, speculate, access.watch)
    })?;
    match batch {
        Some(file) => answer_lines(server, engine, &file),
        None => serve(server, engine, access.host, access.port),
    }
}
