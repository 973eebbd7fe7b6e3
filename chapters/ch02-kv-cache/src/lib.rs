//! Chapter 2: what was computed once is kept, and each step computes one token.

pub mod attention;
pub mod cache;
pub mod compare;
pub mod events;
pub mod generate;
pub mod matmul;
pub mod metrics;
pub mod mlp;
pub mod model;
pub mod norm;
pub mod profile;
pub mod recorder;
pub mod report;
pub mod roofline;
pub mod rope;
pub mod session;
pub mod softmax;
pub mod weights;

use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;

use clap::Parser;
use ground::cli::CommonArgs;
use ground::error::Error;

use crate::cache::Mode;
use crate::session::Session;

/// Continues a text with a Qwen3 model, with or without a cache of keys and values.
#[derive(Parser)]
#[command(version)]
pub struct Args {
    #[command(flatten)]
    pub common: CommonArgs,

    /// Keep keys and values instead of computing them again [basic (without a MODE), contiguous]
    #[arg(
        long,
        value_name = "MODE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "basic",
        hide_possible_values = true
    )]
    pub kv: Option<Mode>,

    /// With --kv: work the prompt off in pieces of at most N tokens
    #[arg(long, value_name = "N", requires = "kv")]
    pub prefill_chunk: Option<NonZeroUsize>,

    /// Run with the cache off and on in turn, and compare
    #[arg(long)]
    pub compare: bool,

    /// With --compare: how often each of the two runs
    #[arg(long, value_name = "N", default_value = "3")]
    pub runs: NonZeroUsize,

    /// List every forward pass
    #[arg(long)]
    pub timings: bool,

    /// Show which operation the time goes to
    #[arg(long)]
    pub profile: bool,

    /// Write one line per token to standard error
    #[arg(long)]
    pub log: bool,
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let args = Args::try_parse_from(cache::join_mode(arguments))?;
    if args.log {
        events::log_to_standard_error();
    }
    let session = Session::open(&args, flags)?;
    if args.compare {
        return compare::compare(&session, &args);
    }
    args.common.begin()?;
    if args.profile {
        profile::start();
    }
    let print = |text: &str| args.common.print(text);
    let (generation, report) = session.generate(&session.request, args.kv, print)?;
    args.common.report(&generation, Some(report.json()?))?;
    if !args.common.json {
        report.print(&mut io::stderr().lock(), args.timings)?;
    }
    Ok(())
}
