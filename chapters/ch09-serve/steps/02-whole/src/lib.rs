//! Chapter 9: a server. What computes is chapter 8's.

use ch08_f16_cache as base;

pub use base::{
    attention, backend, buffer_pool, cache, commands, compare, compute, context, conversation,
    events, exp, generate, how, kernels, matmul, memory, metrics, mlp, model, norm, pass, pool,
    profile, progress_line, recorder, report, roofline, rope, run_on, run_progress, saved,
    session, simd, softmax, stop, sync, talk, weights,
};
pub use openai::log;

pub mod decoder;
pub mod engine;
pub mod queue;
pub mod serve;

use std::ffi::OsString;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::parser::ValueSource;
use clap::{Command, CommandFactory, FromArgMatches, Parser};
use ground::chat::ChatTemplate;
use ground::checksummed_file::identity;
use ground::cli::Switch;
use ground::error::Error;
use ground::request::Request;
use tokio::sync::Semaphore;

use crate::context::Context;
use crate::conversation::context_len;
use crate::queue::Queue;
use crate::recorder::system_clock;
use crate::serve::{Server, serve};
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
}

const PROMPT: &str =
    "The text to continue; with --chat, the question to answer. Without it: a server";

fn command() -> Command {
    ServeArgs::command().mut_arg("prompt", |prompt| prompt.help(PROMPT).long_help(PROMPT))
}

/// Where to listen, and to whom.
#[derive(clap::Args)]
#[group(multiple = true, conflicts_with_all = ["prompt", "token_ids", "compare"])]
pub struct Access {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,

    /// The port to listen on; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 8080)]
    pub port: u16,

    /// Another name for the model, for clients that insist on one; * is any name
    #[arg(long, value_name = "NAME")]
    pub alias: Vec<String>,

    /// How many answers may wait to be computed
    #[arg(long, value_name = "N", default_value = "64")]
    pub queue: NonZeroUsize,

    /// How many texts are made into tokens at once, or answers into JSON: each takes memory, and a core from the engine
    #[arg(long, value_name = "N", default_value = "1")]
    pub renderer_num_workers: NonZeroUsize,
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let matches = command().try_get_matches_from(arguments)?;
    let ServeArgs { engine: args, access } = ServeArgs::from_arg_matches(&matches)?;
    if !args.is_conversation() {
        return base::answer(args, flags, env!("CARGO_PKG_NAME"));
    }
    let how = args.how()?;
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
    let cache = how.kv.cache(config, session.model.kv_type, positions)?;
    let mut context = Context::new(cache, &how, positions);
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
        fingerprint: format!("b{digest}-{kv_type}-{}", env!("CARGO_PKG_VERSION")),
        started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        renderers: Semaphore::new(access.renderer_num_workers.get()),
        queue: Queue::new(access.queue.get()),
    }));
    thread::Builder::new()
        .name("engine".into())
        .spawn(move || engine::work(session, &mut context, &server.queue))?;
    serve(server, access.host, access.port)
}
