//! Chapter 1: the same engine, and an instrument that shows what every token costs.

pub mod attention;
pub mod generate;
pub mod matmul;
pub mod metrics;
pub mod mlp;
pub mod model;
pub mod norm;
pub mod recorder;
pub mod rope;
pub mod session;
pub mod softmax;
pub mod weights;

pub use timing::{events, profile, report, roofline};

use std::ffi::OsString;

use clap::Parser;
use ground::cli::CommonArgs;
use ground::error::Error;
use ground::machine::read_bandwidth;
use timing::args::ReportArgs;

use crate::recorder::system_clock;
use crate::session::Session;

/// Continues a text with a Qwen3 model, and tells what it cost.
#[derive(Parser)]
#[command(version)]
pub struct Args {
    #[command(flatten)]
    pub common: CommonArgs,

    #[command(flatten)]
    pub report: ReportArgs,
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let args = Args::try_parse_from(arguments)?;
    args.report.begin();
    let clock = system_clock();
    let file = args.common.open_model()?;
    let session = Session::open(&file, clock)?;
    let request = args.common.request(&file, &session.model.config, &session.tokenizer)?;

    let output = args.common.begin()?;
    let (generation, mut report) = session.generate(&request, |text| output.print(text))?;
    args.report.finish(&mut report, flags, args.common.json, read_bandwidth);
    output.end(&generation, Some(report.json()?))?;
    args.report.print(&report, args.common.json)
}
