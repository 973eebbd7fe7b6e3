//! Chapter 9: a server. What computes is chapter 8's.

use ch08_f16_cache as base;

pub use base::{
    attention, backend, buffer_pool, cache, commands, compare, compute, context, conversation,
    events, exp, generate, how, kernels, matmul, memory, metrics, mlp, model, norm, pass, pool,
    profile, progress_line, recorder, report, roofline, rope, run_on, run_progress, saved,
    session, simd, softmax, stop, sync, talk, weights,
};
pub use openai::log;

pub mod serve;

use std::ffi::OsString;
use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Command, CommandFactory, FromArgMatches, Parser};
use ground::error::Error;

use crate::serve::{Server, serve};

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
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let matches = command().try_get_matches_from(arguments)?;
    let ServeArgs { engine: args, access } = ServeArgs::from_arg_matches(&matches)?;
    if !args.is_conversation() {
        return base::answer(args, flags, env!("CARGO_PKG_NAME"));
    }
    let name = args.common.model.as_ref().and_then(|file| file.file_stem());
    let name = name.map_or("tiny-qwen3".into(), |name| name.to_string_lossy().into_owned());
    let server: &Server = Box::leak(Box::new(Server {
        names: [name].into_iter().chain(access.alias).collect(),
        started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
    }));
    serve(server, access.host, access.port)
}
