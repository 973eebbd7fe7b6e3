//! Chapter 3 against what the machine can do, and against another chapter: all in turn, so that a slow minute hits
//! all of them.
//!
//! cargo run --release -p ch03-simd-matmul --example measure -- MODEL.gguf [REPEATS] [--against PROGRAM] > FILE.json
//!
//! Where the system tells it, time is the time that the thread was really running: what other programs take of the
//! processor does not count, what they take of the memory does, for the read test as for the kernels. The program of
//! another chapter goes by its own clock, which counts everything: leave the machine alone while it runs.

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::cache::{CacheError, ContiguousCache};
use ch03_simd_matmul::model::Model;
use ch03_simd_matmul::profile;
use ch03_simd_matmul::roofline::flops_per_token;
use ch03_simd_matmul::simd::{Kernel, Simd};
use clap::Parser;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::machine::Machine;
use serde_json::{Value, json};

/// Measures chapter 3 against what the machine can do; prints one JSON object.
#[derive(Parser)]
struct Args {
    /// A Qwen3 model in GGUF format
    model: PathBuf,

    /// How often everything is measured, after a first time that does not count
    #[arg(default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,

    /// The built program of another chapter, to be timed in turn: target/release/ch02-kv-cache
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
}

const DECODE_STEPS: usize = 8;
const DECODE_DEPTH: usize = 16;
const PREFILLS: [usize; 2] = [128, 512];

/// Reads memory in several places at once and does nothing else.
struct Read<'a> {
    memory: &'a [f32],
    streams: usize,
    sum: &'a mut f32,
}

impl Kernel for Read<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        *self.sum = match self.streams {
            1 => read::<S, 1>(simd, self.memory),
            2 => read::<S, 2>(simd, self.memory),
            3 => read::<S, 3>(simd, self.memory),
            4 => read::<S, 4>(simd, self.memory),
            6 => read::<S, 6>(simd, self.memory),
            8 => read::<S, 8>(simd, self.memory),
            _ => read::<S, 16>(simd, self.memory),
        }
    }
}

#[inline(always)]
fn read<S: Simd, const N: usize>(simd: S, memory: &[f32]) -> f32 {
    let (sixteens, _) = memory.as_chunks::<16>();
    // An odd number of lines apart: no two places compete for the same place in the cache.
    let distance = (sixteens.len() / N - 1) | 1;
    let parts: [&[[f32; 16]]; N] =
        std::array::from_fn(|n| &sixteens[n * distance..][..distance]);
    let one = simd.load(&[1.0; 16]);
    let mut sums = [simd.load(&[0.0; 16]); N];
    for i in 0..distance {
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum = simd.mul_add(simd.load(&part[i]), one, *sum);
        }
    }
    sums.into_iter().map(|lanes| simd.sum(lanes)).sum()
}

/// Fused multiply-adds on registers alone: twelve chains, so that none waits for its own last result.
/// Where a group of sixteen takes two registers or four, six chains are as many as there is room for.
struct Peak<'a> {
    sum: &'a mut f32,
    chains: &'a mut usize,
}

const PEAK_STEPS: usize = 4_000_000;

/// What twelve chains keep in registers: their sums and two factors.
const TWELVE_CHAINS: usize = 12 + 2;

impl Kernel for Peak<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        (*self.sum, *self.chains) = if S::REGISTER_SETS >= TWELVE_CHAINS {
            (peak::<S, 12>(simd), 12)
        } else {
            (peak::<S, 6>(simd), 6)
        };
    }
}

#[inline(always)]
fn peak<S: Simd, const N: usize>(simd: S) -> f32 {
    let mut sums: [S::Lanes; N] = std::array::from_fn(|n| simd.load(&[n as f32; 16]));
    let (a, b) = (simd.load(&[black_box(0.5); 16]), simd.load(&[black_box(0.25); 16]));
    for _ in 0..PEAK_STEPS {
        for sum in &mut sums {
            *sum = simd.mul_add(a, *sum, b);
        }
    }
    sums.into_iter().map(|lanes| simd.sum(lanes)).sum()
}

/// The smallest, the median and the largest.
fn spread(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len() - 1;
    [sorted[0], (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0, sorted[last]]
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = (Instant::now(), running());
    work();
    let wall = start.0.elapsed().as_secs_f64();
    running().zip(start.1).map_or(wall, |(end, start)| end - start)
}

/// For how long this thread has been running, in seconds.
fn running() -> Option<f64> {
    // The count is brought up to date when the thread gives way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

fn peak_gflops(backend: Backend) -> f64 {
    let (mut sum, mut chains) = (0.0, 0);
    let time = seconds(|| backend.run(Peak { sum: &mut sum, chains: &mut chains }));
    black_box(sum);
    (PEAK_STEPS * chains * 16 * 2) as f64 / time / 1e9
}

fn read_gb_per_second(backend: Backend, memory: &[f32], streams: usize) -> f64 {
    let mut sum = 0.0;
    let time = seconds(|| backend.run(Read { memory, streams, sum: &mut sum }));
    black_box(sum);
    size_of_val(memory) as f64 / time / 1e9
}

fn ids(count: usize, vocab: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + 13) % vocab.min(50_000)) as u32).collect()
}

fn new_cache(model: &Model, positions: usize) -> Result<ContiguousCache, CacheError> {
    let Config { layers, kv_heads, head_dim, .. } = model.config;
    ContiguousCache::new(layers, kv_heads * head_dim, positions)
}

/// Multiplications and additions of a prefill: the head sees the last row only.
fn prefill_flops(model: &Model, rows: usize) -> usize {
    let config = &model.config;
    let head = 2 * config.vocab * config.hidden;
    (0..rows).map(|depth| flops_per_token(config, depth) - head).sum::<usize>() + head
}

/// The program of another chapter. Chapters do not know each other, so it is asked as a reader would ask it.
struct Other {
    program: PathBuf,
    name: String, // what its file is called, up to the first dash
}

impl Other {
    fn new(program: PathBuf) -> Other {
        let file = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = file.split('-').next().unwrap_or_default().to_string();
        Other { program, name }
    }

    /// Tokens per second of a prefill, and of the decode steps after it.
    fn speeds(&self, model: &Path, ids: &[u32]) -> Result<(f64, f64), Box<dyn Error>> {
        let program = self.program.display();
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        let output = Command::new(&self.program)
            .args(["--json", "--kv=contiguous", "--ignore-eos", "--token-ids", &ids.join(",")])
            .args(["-n", &(DECODE_STEPS + 1).to_string()]) // the prefill gives the first one
            .arg("--model")
            .arg(model)
            .output()
            .map_err(|error| format!("{program} does not start: {error}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(
                format!("{program} failed, {}: {}", output.status, message.trim()).into()
            );
        }
        let report: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{program} printed no JSON: {error}"))?;
        let speed = |name: &str| {
            let found = report["metrics"][name].as_f64();
            found.ok_or_else(|| {
                format!("{program} reported no metrics.{name}: is it a chapter from 2 on?")
            })
        };
        Ok((speed("prefill_tokens_per_second")?, speed("decode_tokens_per_second")?))
    }
}

/// The figures of every kind, in the order of their measurement. A name says where in the JSON they go.
#[derive(Default)]
struct Figures(Vec<(String, Vec<f64>)>);

impl Figures {
    fn note(&mut self, name: String, value: f64) {
        eprintln!("{name:>48} {value:10.2}");
        self.add(name, vec![value]);
    }

    fn add(&mut self, name: String, values: Vec<f64>) {
        match self.0.iter_mut().find(|(found, _)| *found == name) {
            Some((_, all)) => all.extend(values),
            None => self.0.push((name, values)),
        }
    }

    fn median(&self, name: &str) -> f64 {
        let (_, values) = self.0.iter().find(|(found, _)| found == name).expect("it was noted");
        spread(values)[1]
    }

    fn json(&self) -> Value {
        let mut report = json!({});
        for (name, values) in &self.0 {
            let [min, median, max] =
                spread(values).map(|value| (value * 1000.0).round() / 1000.0);
            let figure = json!({"median": median, "min": min, "max": max, "n": values.len()});
            let place = name.split('/').fold(&mut report, |place, part| &mut place[part]);
            *place = figure;
        }
        report
    }
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(report) => println!("{report:#}"),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(args: Args) -> Result<Value, Box<dyn Error>> {
    let Args { model: path, repeats, against } = args;
    let file = Gguf::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let vocab = Config::from_gguf(&file)?.vocab;
    let stored = file.tensor("blk.0.attn_q.weight")?.stored.name();
    // The widest stretch of what decode reads, as it lies in the file; 16-bit numbers two at a time.
    let embedding = file.tensor("token_embd.weight")?.bytes;
    let memory = {
        let skip = embedding.as_ptr().align_offset(4);
        let whole = (embedding.len() - skip) / 4 * 4;
        bytemuck::cast_slice::<u8, f32>(&embedding[skip..skip + whole])
    };
    let other = against.map(Other::new);

    let mut figures = Figures::default();
    let best = Backend::choose("auto")?;
    for repeat in 0..=repeats {
        let mut now = Figures::default(); // the first round only warms up
        let mut bandwidth = 0.0_f64;
        let mut measure_reading = |now: &mut Figures| {
            for streams in [1, 2, 3, 4, 6, 8, 16] {
                let speed = read_gb_per_second(best, memory, streams);
                bandwidth = bandwidth.max(speed);
                now.note(format!("read/streams_{streams}/gb_s"), speed);
            }
        };
        measure_reading(&mut now);
        let mut decodes = Vec::new();
        for backend in Backend::available() {
            let (name, model) =
                (backend.name(), Model::load(&file, Config::from_gguf(&file)?, backend)?);
            let mut cache = new_cache(&model, DECODE_DEPTH + DECODE_STEPS)?;
            let mut forward = |ids: &[u32], position| {
                black_box(model.forward(ids, position, Some(&mut cache)).expect("room"));
            };
            forward(&ids(DECODE_DEPTH, vocab), 0);
            for step in 0..DECODE_STEPS {
                let time = seconds(|| forward(&[step as u32], DECODE_DEPTH + step));
                let bytes = model.weights.bytes_per_token() as f64;
                decodes.push((name, bytes / time / 1e9));
                now.note(format!("{name}/decode/tok_s"), 1.0 / time);
                now.note(format!("{name}/decode/gb_s"), bytes / time / 1e9);
            }
        }
        measure_reading(&mut now);
        now.note("read/best/gb_s".into(), bandwidth);
        for (name, speed) in decodes {
            now.note(format!("{name}/decode/percent_of_read"), speed / bandwidth * 100.0);
        }
        for backend in Backend::available() {
            let (name, model) =
                (backend.name(), Model::load(&file, Config::from_gguf(&file)?, backend)?);
            for rows in PREFILLS {
                let peak = peak_gflops(backend).max(peak_gflops(backend));
                now.note(format!("{name}/peak_gflop_s"), peak);
                let mut cache = new_cache(&model, rows)?;
                profile::start();
                let start = Instant::now();
                let time = seconds(|| {
                    black_box(
                        model.forward(&ids(rows, vocab), 0, Some(&mut cache)).expect("room"),
                    );
                });
                let wall = start.elapsed().as_secs_f64(); // what the profile counts
                let peak = peak.max(peak_gflops(backend));
                let operations = profile::finish().expect("it was started");
                let (mut products, mut flops) = (0.0, 0.0);
                for operation in operations {
                    let projection = operation.name.ends_with("projection");
                    let share = operation.ms / 10.0 / wall;
                    let operation_name = operation.name.replace(' ', "_");
                    now.note(
                        format!("{name}/prefill_{rows}/percent_in/{operation_name}"),
                        share,
                    );
                    if projection {
                        products += operation.ms / 1e3 * time / wall;
                        flops += operation.flops as f64;
                    }
                }
                let all = prefill_flops(&model, rows) as f64;
                now.note(format!("{name}/prefill_{rows}/tok_s"), rows as f64 / time);
                now.note(format!("{name}/prefill_{rows}/gflop_s"), all / time / 1e9);
                now.note(
                    format!("{name}/prefill_{rows}/percent_of_peak"),
                    all / time / peak / 1e7,
                );
                let share = flops / products / peak / 1e7;
                now.note(format!("{name}/prefill_{rows}/products_percent_of_peak"), share);
            }
        }
        if let Some(other) = &other {
            let other_name = &other.name;
            let (prefill, decode) = other.speeds(&path, &ids(PREFILLS[0], vocab))?;
            for (what, speed) in
                [(format!("prefill_{}", PREFILLS[0]), prefill), ("decode".into(), decode)]
            {
                now.note(format!("{other_name}/{what}/tok_s"), speed);
                let ours = now.median(&format!("{}/{what}/tok_s", best.name()));
                now.note(format!("{}/{what}/times_{other_name}", best.name()), ours / speed);
            }
        }
        if repeat > 0 {
            for (name, values) in now.0 {
                figures.add(name, values);
            }
        }
    }
    let name =
        |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let against = other.map_or(String::new(), |other| {
        format!(" --against target/release/{}", name(&other.program))
    });
    let command = format!(
        "cargo run --release -p ch03-simd-matmul --example measure -- {} {repeats}{against}",
        name(&path)
    );
    Ok(json!({
        "command": command,
        "machine": Machine::describe(),
        "stored_as": stored,
        "repeats": repeats,
        "figures": figures.json(),
    }))
}
