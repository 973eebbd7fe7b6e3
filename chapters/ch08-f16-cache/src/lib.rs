//! Chapter 8: the past in sixteen bits, laid out as attention reads it.

use ch06_fast_prefill as base;

pub use base::{
    backend, buffer_pool, compute, exp, matmul, metrics, mlp, norm, pool, recorder, repack,
    rope, simd, softmax, sync, weights,
};

pub mod attention;
pub mod cache;
pub mod commands;
pub mod compare;
pub mod context;
pub mod conversation;
pub mod generate;
pub mod how;
pub mod kernels;
pub mod memory;
pub mod model;
pub mod pass;
pub mod progress_line;
pub mod run_on;
pub mod run_progress;
pub mod saved;
pub mod session;
pub mod stop;
pub mod talk;

pub use timing::{events, profile, report, roofline};

use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, Parser};
use ground::cli::{CommonArgs, Switch};
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::{read_bandwidth_of, usable_cores};
use ground::request::FinishReason;
use timing::args::ReportArgs;

use crate::backend::Backend;
use crate::cache::{KvType, Mode};
use crate::compare::compare;
use crate::compute::ComputeContext;
use crate::conversation::{Conversation, OnFull, Settings};
use crate::how::{How, PREFILL_CHUNK};
use crate::model::Model;
use crate::progress_line::ProgressLine;
use crate::recorder::system_clock;
use crate::session::Session;
use crate::talk::talk;

/// Answers questions with a Qwen3 model, each with all that was said before in mind; or continues one text.
#[derive(Parser)]
#[command(version, after_help = LINES, mut_arg("prompt", to_continue))]
pub struct Args {
    #[command(flatten)]
    pub common: CommonArgs,

    /// Where keys and values are kept (without a MODE: contiguous) [default: contiguous]
    #[arg(long, value_name = "MODE", num_args = 0..=1, default_missing_value = "contiguous")]
    pub kv: Option<Mode>,

    /// The type in which keys and values are kept: f32 keeps all of their bits, and takes twice the memory; q8_0
    /// takes half, and is multiplied as integers
    #[arg(long, value_name = "TYPE", value_enum, default_value_t)]
    pub kv_type: KvType,

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

    /// What the model is told before the first question, of a conversation or with --chat
    #[arg(long, value_name = "TEXT", conflicts_with = "token_ids")]
    pub system: Option<String>,

    /// In a conversation: how many tokens the cache has room for [default: as many as the model's
    /// context, but at most 4096]
    #[arg(long, value_name = "N", conflicts_with_all = ONE_ANSWER)]
    pub context: Option<NonZeroUsize>,

    /// In a conversation: what to do with a question for which there is no room
    #[arg(long, value_enum, default_value_t = OnFull::Stop, conflicts_with_all = ONE_ANSWER)]
    pub on_full: OnFull,

    /// Run with the cache off and on in turn, and compare
    #[arg(long, conflicts_with_all = ["profile", "top_logits", "layer_states"])]
    pub compare: bool,

    /// With --compare: how often each of the two runs
    #[arg(long, value_name = "N", default_value = "3", requires = "compare")]
    pub runs: NonZeroUsize,

    /// Put packed weights into the order of the products while they are loaded, for a single answer, too
    #[arg(long)]
    pub repack: bool,

    /// In a conversation: leave packed weights as the file has them
    #[arg(long, conflicts_with = "repack")]
    pub no_repack: bool,

    #[command(flatten)]
    pub report: ReportArgs,

    /// What makes a model of a file: not a flag.
    #[arg(skip = QWEN3)]
    pub load: Load,
}

/// Reads the weights of a model for these threads, with a past of that type.
pub type Load = for<'a> fn(&'a Gguf, ComputeContext, KvType) -> Result<Model<'a>, Error>;

const QWEN3: Load =
    |file, compute, kv_type| Model::load(file, Config::from_gguf(file)?, compute, kv_type);

/// Flags that ask for a single answer.
const ONE_ANSWER: [&str; 3] = ["prompt", "token_ids", "compare"];

const LINES: &str = "\
In a conversation each line is a question or a command: /help lists them. A line that is refused is answered with
one line on standard error, and with --json by an object with an \"error\". If it came from a pipe, the lines after it
are answered, and the exit status is 1.";

fn to_continue(prompt: Arg) -> Arg {
    prompt.help(
        "The text to continue; with --chat, the question to answer. Without it: a conversation",
    )
}

impl Args {
    pub fn is_conversation(&self) -> bool {
        self.common.prompt.is_none() && self.common.token_ids.is_none() && !self.compare
    }

    /// How to run. What would have no effect without a cache is refused.
    pub fn how(&self) -> Result<How, Error> {
        let kv = self.kv.unwrap_or(Mode::Contiguous);
        let with_cache =
            [("--compare", self.compare), ("--prefill-chunk", self.prefill_chunk.is_some())];
        let idle = with_cache.into_iter().find(|(_, given)| *given && kv == Mode::Off);
        if let Some((flag, _)) = idle {
            let message = format!("{flag} needs a cache: give --kv another MODE than off");
            return Err(Args::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        if self.system.is_some() && !self.common.chat && !self.is_conversation() {
            let message = "--system needs --chat: a text to continue has no system message";
            return Err(Args::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        let of_one_answer = [
            ("--timings", self.report.timings),
            ("--profile", self.report.profile),
            ("--bandwidth", self.report.bandwidth),
            ("--top-logits", self.common.top_logits > 0),
            ("--layer-states", self.common.layer_states),
        ];
        let idle =
            of_one_answer.into_iter().find(|(_, given)| *given && self.is_conversation());
        if let Some((flag, _)) = idle {
            let message =
                format!("{flag} is about one answer, not a conversation: give a PROMPT");
            return Err(Args::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        Ok(How { kv, prefill_chunk: self.prefill_chunk.unwrap_or(PREFILL_CHUNK) })
    }

    pub fn compute(&self) -> Result<ComputeContext, Error> {
        let threads = self.threads.map_or_else(usable_cores, usize::from);
        let mut compute = ComputeContext::new(Backend::choose(&self.backend)?, threads)?;
        // Before a single answer it takes longer than it saves.
        compute.repack = self.repack || self.is_conversation() && !self.no_repack;
        Ok(compute)
    }

    /// Without -n an answer may go on until the context is full.
    fn conversation<'a>(
        &self,
        session: &'a Session<'a>,
        how: &How,
    ) -> Result<Conversation<'a>, Error> {
        let options = self.common.options(usize::MAX);
        let think = self.common.think == Switch::On;
        let settings = Settings { options, think, on_full: self.on_full };
        let positions = self.context.map(NonZeroUsize::get);
        Conversation::new(session, how, positions, self.system.clone(), settings)
    }
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let flags: Vec<String> =
        arguments.iter().skip(1).map(|flag| flag.to_string_lossy().into()).collect();
    answer(Args::try_parse_from(arguments)?, flags, env!("CARGO_PKG_NAME"))
}

/// All that the program does once its arguments are understood.
pub fn answer(mut args: Args, flags: Vec<String>, program: &'static str) -> Result<(), Error> {
    args.common.system.clone_from(&args.system);
    let how = args.how()?;
    args.report.begin();
    let compute = args.compute()?;
    let threads = compute.threads();
    let clock = system_clock();
    let file = args.common.open_model()?;
    let session = Session::with(&file, clock, || (args.load)(&file, compute, args.kv_type))?;
    stop::listen();
    if args.is_conversation() {
        return talk(args.conversation(&session, &how)?, args.common.json);
    }
    let request = args.common.request(&file, &session.model.config, &session.tokenizer)?;
    let mut progress = ProgressLine::start();
    let mut watch = |far| {
        progress.show(far);
        !stop::asked()
    };
    if args.compare {
        let comparison = compare(&session, &request, &how, args.runs, &mut watch)?;
        let Some(mut comparison) = comparison else {
            return Err(stop::stopped(progress.far));
        };
        let bandwidth = args
            .report
            .wants_bound(&comparison.on, args.common.json)
            .then(|| read_bandwidth_of(threads));
        for report in [&mut comparison.off, &mut comparison.on] {
            report.program = program;
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
        session.generate(&request, &how, &mut watch, |text| output.print(text))?;
    if generation.finish_reason == FinishReason::Interrupted {
        return Err(stop::stopped(progress.far));
    }
    report.program = program;
    args.report.finish(&mut report, flags, args.common.json, || read_bandwidth_of(threads));
    output.end(&generation, Some(report.json()?))?;
    args.report.print(&report, args.common.json)
}
