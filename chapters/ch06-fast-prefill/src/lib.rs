//! Chapter 6: a long prompt, read as fast as the integers of a CPU allow.

pub mod attention;
pub mod backend;
pub mod buffer_pool;
pub mod cache;
pub mod compare;
pub mod compute;
pub mod exp;
pub mod generate;
pub mod how;
pub mod kernels;
pub mod matmul;
pub mod memory;
pub mod metrics;
pub mod mlp;
pub mod model;
pub mod norm;
pub mod pass;
pub mod pool;
pub mod recorder;
pub mod repack;
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
use ground::machine::{read_bandwidth_of, usable_cores};
use timing::args::ReportArgs;

use crate::backend::Backend;
use crate::cache::Mode;
use crate::compare::compare;
use crate::compute::ComputeContext;
use crate::how::{How, PREFILL_CHUNK};
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
        value_parser = ["auto", "scalar", "avx2", "avx-vnni", "avx512", "avx512-vnni", "amx", "neon", "neon-dot"],
        default_value = "auto"
    )]
    pub backend: String,

    /// How many threads compute [default: one for each core that may be used]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// With a cache: read the prompt in chunks of at most N tokens [default: 512]
    #[arg(long, value_name = "N")]
    pub prefill_chunk: Option<NonZeroUsize>,

    /// Run with the cache off and on in turn, and compare
    #[arg(long, conflicts_with_all = ["profile", "top_logits", "layer_states"])]
    pub compare: bool,

    /// With --compare: how often each of the two runs
    #[arg(long, value_name = "N", default_value = "3", requires = "compare")]
    pub runs: NonZeroUsize,

    /// Put packed weights into the order of the products while they are loaded
    #[arg(long)]
    pub repack: bool,

    #[command(flatten)]
    pub report: ReportArgs,
}

impl Args {
    /// How to run. What would have no effect without a cache is refused.
    fn how(&self) -> Result<How, Error> {
        let kv = self.kv.unwrap_or(Mode::Contiguous);
        let with_cache =
            [("--compare", self.compare), ("--prefill-chunk", self.prefill_chunk.is_some())];
        let idle = with_cache.into_iter().find(|(_, given)| *given && kv == Mode::Off);
        if let Some((flag, _)) = idle {
            let message = format!("{flag} needs a cache: give --kv another MODE than off");
            return Err(Args::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        Ok(How { kv, prefill_chunk: self.prefill_chunk.unwrap_or(PREFILL_CHUNK) })
    }
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags: Vec<String> =
        arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    let args = Args::try_parse_from(arguments)?;
    let how = args.how()?;
    args.report.begin();
    let threads = args.threads.map_or_else(usable_cores, usize::from);
    let mut compute = ComputeContext::new(Backend::choose(&args.backend)?, threads)?;
    compute.repack = args.repack;
    let clock = system_clock();
    let file = args.common.open_model()?;
    let session = Session::open(&file, clock, compute)?;
    let request = args.common.request(&file, &session.model.config, &session.tokenizer)?;

    if args.compare {
        let mut comparison = compare(&session, &request, &how, args.runs)?;
        let bandwidth = args
            .report
            .wants_bound(&comparison.on, args.common.json)
            .then(|| read_bandwidth_of(threads));
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
    let (generation, mut report) =
        session.generate(&request, &how, |text| output.print(text))?;
    args.report.finish(&mut report, flags, args.common.json, || read_bandwidth_of(threads));
    output.end(&generation, Some(report.json()?))?;
    args.report.print(&report, args.common.json)
}
