//! `sweep`: runs chapters over prompt lengths and depths, again and again, and writes down the
//! medians with their spread.

mod chapter;
mod estimate;
mod fit;
mod metrics;
mod point;
pub mod recording;
mod spread;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use catalog::error::problem_at;
use catalog::tidy::tidy;
use ground::cli::open_model;
use ground::config::Config;
use ground::error::Error;
use ground::progress_bar::Bar;
use ground::random::SplitMix64;

use crate::whole_file;
use chapter::{Run, Setting};
use estimate::Speed;
use recording::{Cell, Kind, Point, PromptFit, Ratio, Recording};

/// What to run, where, and how often.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A chapter and its flags, such as "ch02-kv-cache --kv=basic", or the way to a program; may be given more than once
    #[arg(long, value_name = "SETTING", required = true)]
    run: Vec<Setting>,

    /// A Qwen3 model in GGUF format [default: the tiny model inside the programs]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Prompt lengths in tokens [default: 16, unless there are depths]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    prompt: Vec<NonZeroUsize>,

    /// Depths: how many tokens come before the few whose speed is measured
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    depth: Vec<usize>,

    /// New tokens after a prompt
    #[arg(short = 'n', long, value_name = "N", default_value = "32")]
    max_new_tokens: NonZeroUsize,

    /// Decode steps at a depth
    #[arg(long, value_name = "N", default_value = "8")]
    depth_steps: NonZeroUsize,

    /// How often to measure everything
    #[arg(long, value_name = "R", default_value = "5")]
    repeat: NonZeroUsize,

    /// Where the random token ids start
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Also print how many times as fast each setting is as the one before it
    #[arg(long)]
    compare: bool,

    /// Print how long it would take, and stop
    #[arg(long)]
    estimate: bool,

    /// Take the release programs as they lie there, without asking cargo to bring them up to date
    #[arg(long)]
    no_build: bool,

    /// Write all figures to this file, as JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Measures, prints the table, writes the file.
pub fn run(args: &Args) -> Result<(), Error> {
    if args.compare && args.run.len() < 2 {
        return Err(Error::chapter("--compare takes at least two --run settings, not 1"));
    }
    if let Some(out) = &args.out {
        check_writable(out)?;
    }
    let file = open_model(args.model.as_deref())?;
    let config = Config::from_gguf(&file)?;
    let build = |setting: &Setting| {
        let _ = writeln!(io::stderr(), "building {}", setting.package);
        setting.program(true)
    };
    let program =
        |setting| if args.no_build { Setting::program(setting, false) } else { build(setting) };
    let programs = args.run.iter().map(program).collect::<Result<Vec<_>, _>>()?;

    let model = args.model.as_ref().map(|path| path.display().to_string());
    let run = |index: usize, point: Point| {
        let ids = random_ids(args.seed, config.vocab, point.prompt_tokens());
        let ids: Vec<String> = ids.iter().map(usize::to_string).collect();
        let setting = &args.run[index];
        let arguments = setting.arguments(model.as_deref(), &ids.join(","), point.new_tokens);
        setting.run(&programs[index], &arguments)
    };
    let mut out = io::stdout().lock();
    let Some(recording) = measure(args, &config, run, &mut out)? else { return Ok(()) };
    // First the file: the table may end at a closed pipe (`| head`).
    if let Some(path) = &args.out {
        let json = serde_json::to_string(&recording).and_then(|json| tidy(&json));
        whole_file::write(path, &json.map_err(io::Error::from)?)?;
    }
    Ok(table::print(&recording, &args.run, &mut out)?)
}

/// Everything is measured in turn, A B A B, so that a slow minute of the machine hits all settings.
fn measure(
    args: &Args,
    config: &Config,
    mut run: impl FnMut(usize, Point) -> Result<Run, Error>,
    out: &mut dyn Write,
) -> Result<Option<Recording>, Error> {
    let points = points(args, config)?;
    let mut run = |index, point| {
        let mut run = run(index, point)?;
        run.metrics.note_work(config);
        Ok::<Run, Error>(run)
    };

    // The first run of anything is slower than the second: it only tells how long the rest takes.
    let mut speeds = Vec::new();
    let mut recording = Recording::default();
    for index in 0..args.run.len() {
        let warm_up = run(index, Point { kind: Kind::Prompt, tokens: 4, new_tokens: 3 })?;
        speeds.push(Speed::new(&warm_up.metrics, warm_up.wall_ms));
        recording.machine = warm_up.metrics.machine;
        recording.model = warm_up.metrics.model;
        recording.stored_as = warm_up.metrics.stored_as;
    }
    let repeat = args.repeat.get();
    let estimate = |index: usize, point| speeds[index].estimate(config, point);
    let every_run = || points.iter().flat_map(|point| (0..speeds.len()).map(|i| (i, *point)));
    let expected: f64 = every_run().map(|(index, point)| estimate(index, point)).sum();
    let (expected, runs) = (expected * repeat as f64, every_run().count() * repeat);
    writeln!(out, "{runs} runs, about {}", estimate::duration(expected))?;
    out.flush()?;
    if args.estimate {
        return Ok(None);
    }

    let start = Instant::now();
    let mut bar = Bar::new("measuring", expected as u64);
    for point in points {
        let mut runs: Vec<Vec<Run>> = args.run.iter().map(|_| Vec::new()).collect();
        for _ in 0..repeat {
            for (index, done) in runs.iter_mut().enumerate() {
                done.push(run(index, point)?);
                bar.advance(estimate(index, point) as u64);
            }
        }
        let same_tokens =
            runs.iter().flatten().all(|run| run.generated_ids == runs[0][0].generated_ids);
        for (setting, runs) in args.run.iter().zip(runs) {
            let metrics: Vec<_> = runs.into_iter().map(|run| run.metrics).collect();
            let command = command(args, setting, point);
            recording.cells.extend(Cell::new(&setting.name, command, point, &metrics));
        }
        if args.compare {
            let cells = &recording.cells[recording.cells.len() - args.run.len()..];
            let ratio = |pair: &[Cell]| Ratio::new(&pair[0], &pair[1], same_tokens);
            recording.ratios.extend(cells.windows(2).map(ratio));
        }
    }
    drop(bar);
    for (index, setting) in args.run.iter().enumerate() {
        let fit = PromptFit::new(&setting.name, recording.cells_of(index, args.run.len()));
        recording.prompt_fits.extend(fit);
    }
    recording.seconds = start.elapsed().as_secs_f64();
    recording.estimated_seconds = expected / 1e3;
    (recording.repeat, recording.seed) = (repeat, args.seed);
    Ok(Some(recording))
}

fn points(args: &Args, config: &Config) -> Result<Vec<Point>, Error> {
    let mut prompts: Vec<usize> = args.prompt.iter().map(|tokens| tokens.get()).collect();
    if prompts.is_empty() && args.depth.is_empty() {
        prompts.push(16);
    }
    let point = |kind, new_tokens| move |tokens: usize| Point { kind, tokens, new_tokens };
    let prompts = prompts.into_iter().map(point(Kind::Prompt, args.max_new_tokens.get()));
    // The first new token comes from the prefill, the others from decode steps.
    let depth_tokens = args.depth_steps.get().saturating_add(1);
    let depths = args.depth.iter().copied().map(point(Kind::Depth, depth_tokens));
    let points: Vec<Point> = prompts.chain(depths).collect();
    for point in &points {
        // The last new token is never fed back.
        let (needed, holds) =
            (point.prompt_tokens().saturating_add(point.new_tokens - 1), config.context_length);
        if needed > holds {
            return Err(Error::chapter(format!(
                "{point} with {} new tokens needs a context of {needed}, but this model's holds {holds}",
                point.new_tokens
            )));
        }
    }
    Ok(points)
}

/// The command as a reader could type it: without the ids, and without the way to the model.
fn command(args: &Args, setting: &Setting, point: Point) -> String {
    let name =
        |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model = args.model.as_ref().map(name);
    let ids = format!("<{} random ids, seed {}>", point.prompt_tokens(), args.seed);
    let arguments = setting.arguments(model.as_deref(), &ids, point.new_tokens);
    let program = setting.name.split(' ').next().unwrap_or_default();
    format!("{program} {}", arguments.join(" "))
}

/// Token ids that look like nothing in particular: a longer prompt begins like a shorter one.
fn random_ids(seed: u64, vocab: usize, count: usize) -> Vec<usize> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(|_| random.below(vocab)).collect()
}

/// An hour of measuring should not end at a folder that is not there.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let plain = path.file_name().is_some() && (!path.exists() || path.is_file());
    let there = plain && folder.is_none_or(Path::is_dir);
    let error = || problem_at(path, "cannot be written there");
    there.then_some(()).ok_or_else(error)
}
