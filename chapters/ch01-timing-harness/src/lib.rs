//! Chapter 1: the same engine, and an instrument that shows what every token costs.

pub mod attention;
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

use clap::Parser;
use ground::cli::CommonArgs;
use ground::error::Error;

use crate::session::Session;

/// Continues a text with a Qwen3 model, and tells what it cost.
#[derive(Parser)]
#[command(version)]
pub struct Args {
    #[command(flatten)]
    pub common: CommonArgs,

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
    let args = Args::try_parse_from(arguments)?;
    if args.log {
        events::log_to_standard_error();
    }
    let session = Session::open(&args.common, flags)?;
    args.common.begin()?;
    if args.profile {
        profile::start();
    }
    let (generation, report) = session.generate(|text| args.common.print(text))?;
    args.common.report(&generation, Some(report.json()?))?;
    if !args.common.json {
        report.print(&mut io::stderr().lock(), args.timings)?;
    }
    Ok(())
}
