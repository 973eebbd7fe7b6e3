//! Chapter 4: all cores, and the same bits with any number of them.

pub mod attention;
pub mod backend;
pub mod cache;
pub mod compare;
pub mod compute;
pub mod exp;
pub mod generate;
pub mod kernels;
pub mod matmul;
pub mod metrics;
pub mod mlp;
pub mod model;
pub mod norm;
pub mod pool;
pub mod recorder;
pub mod rope;
pub mod session;
pub mod simd;
pub mod softmax;
pub mod sync;
pub mod weights;

pub use timing::{events, profile, report, roofline};

use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use ground::cli::CommonArgs;
use ground::error::Error;
use ground::machine::{read_bandwidth, usable_cores};
use timing::args::ReportArgs;

use crate::backend::Backend;
use crate::cache::Mode;
use crate::compare::compare;
use crate::compute::ComputeContext;
use crate::recorder::system_clock;
use crate::session::Session;

/// Continues a text with a Qwen3 model, with or without a cache of keys and values.
#[derive(Parser)]
#[command(version)]
pub struct Args {
    #[command(flatten)]
    pub common: CommonArgs,

    /// Where keys and values are kept (without a MODE: contiguous) [default: contiguous]
    #[arg(long, value_name = "MODE", num_args = 0..=1, default_missing_value = "contiguous")]
    pub kv: Option<Mode>,

    /// The instructions to compute with: auto takes the fastest that this CPU has
    #[arg(
        long,
        value_name = "NAME",
        value_parser = ["auto", "scalar", "avx2", "avx512", "neon"],
        default_value = "auto"
    )]
    pub backend: String,

    /// How many threads compute [default: one for each core that may be used]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Run with the cache off and on in turn, and compare
    #[arg(long, conflicts_with_all = ["profile", "top_logits", "layer_states"])]
    pub compare: bool,

    /// With --compare: how often each of the two runs
    #[arg(long, value_name = "N", default_value = "3", requires = "compare")]
    pub runs: NonZeroUsize,

    #[command(flatten)]
    pub report: ReportArgs,
}

impl Args {
    /// Which cache, if any. A comparison without one is refused.
    fn mode(&self) -> Result<Mode, Error> {
        let kv = self.kv.unwrap_or(Mode::Contiguous);
        if self.compare && kv == Mode::Off {
            let message = "--compare needs a cache: give --kv another MODE than off";
            return Err(Args::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        Ok(kv)
    }
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags: Vec<String> =
        arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let args = Args::try_parse_from(arguments)?;
    let kv = args.mode()?;
    args.report.begin();
    let threads = args.threads.map_or_else(usable_cores, usize::from);
    let compute = ComputeContext::new(Backend::choose(&args.backend)?, threads)?;
    let clock = system_clock();
    let file = args.common.open_model()?;
    let session = Session::open(&file, clock, compute)?;
    let request = args.common.request(&file, &session.model.config, &session.tokenizer)?;

    if args.compare {
        let mut comparison = compare(&session, &request, kv, args.runs)?;
        let bandwidth =
            args.report.wants_bound(&comparison.on, args.common.json).then(read_bandwidth);
        for report in [&mut comparison.off, &mut comparison.on] {
            report.flags.clone_from(&flags);
            if let Some(bandwidth) = bandwidth {
                report.bound(bandwidth);
            }
        }
        return comparison.print(
            &mut io::stdout().lock(),
            args.common.json,
            args.report.timings,
        );
    }

    let output = args.common.begin()?;
    let (generation, mut report) = session.generate(&request, kv, |text| output.print(text))?;
    args.report.finish(&mut report, flags, args.common.json, read_bandwidth);
    output.end(&generation, Some(report.json()?))?;
    args.report.print(&report, args.common.json)
}
