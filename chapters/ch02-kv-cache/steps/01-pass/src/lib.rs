//! Chapter 1: the same engine, and an instrument that shows what every token costs.

pub mod attention;
pub mod cache;
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
use ground::machine::read_bandwidth;

use crate::recorder::system_clock;
use crate::report::Report;
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

    /// With --json: also measure how fast memory can be read
    #[arg(long, requires = "json")]
    pub bandwidth: bool,

    /// Write one line per token to standard error
    #[arg(long)]
    pub log: bool,
}

impl Args {
    /// The read test takes a moment: the table needs it for a share, JSON only if it is asked for.
    pub fn wants_bound(&self, report: &Report) -> bool {
        let share_exists = report.metrics.decode_tokens_per_second.is_some();
        if self.common.json { self.bandwidth } else { share_exists }
    }
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags = arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let args = Args::try_parse_from(arguments)?;
    if args.log {
        events::log_to_standard_error();
    }
    let clock = system_clock();
    let file = args.common.open_model()?;
    let session = Session::open(&file, clock)?;
    let request = args.common.request(&file, &session.model.config, &session.tokenizer)?;

    let output = args.common.begin()?;
    if args.profile {
        profile::start();
    }
    let (generation, mut report) = session.generate(&request, |text| output.print(text))?;
    report.profile = profile::finish();
    report.flags = flags;
    if args.wants_bound(&report) {
        report.bound(read_bandwidth());
    }
    output.end(&generation, Some(report.json()?))?;
    if !args.common.json {
        report.print(&mut io::stderr().lock(), args.timings)?;
    }
    Ok(())
}
