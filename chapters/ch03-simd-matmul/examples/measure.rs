//! Chapter 3 against what the machine can do, and against chapter 2: everything in one run, in turn, so that a slow
//! minute hits all of them.
//!
//! cargo run --release -p course-tests --bin measure_ch03 -- MODEL.gguf [REPEATS] [with-ch02] > FILE.json
//!
//! Where the system tells it, time is the time that the thread was really running: what other programs take of the
//! processor does not count, what they take of the memory does, for the read test as for the kernels.

use std::hint::black_box;
use std::time::Instant;

use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::cache::Mode;
use ch03_simd_matmul::model::Model;
use ch03_simd_matmul::profile;
use ch03_simd_matmul::roofline::flops_per_token;
use ch03_simd_matmul::simd::{Job, Simd};
use ground::gguf::Gguf;
use ground::machine::Machine;
use serde_json::{Value, json};

const DECODE_STEPS: usize = 8;
const DECODE_DEPTH: usize = 16;
const PREFILLS: [usize; 2] = [128, 512];

/// Reads memory in several places at once and does nothing else.
struct Read<'a> {
    memory: &'a [f32],
    streams: usize,
    sum: &'a mut f32,
}

impl Job for Read<'_> {
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
struct Peak<'a>(&'a mut f32);

const PEAK_STEPS: usize = 4_000_000;

impl Job for Peak<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        *self.0 = if S::GROUPS == 32 { peak::<S, 12>(simd) } else { peak::<S, 6>(simd) };
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
    let mut sum = 0.0;
    let time = seconds(|| backend.run(Peak(&mut sum)));
    black_box(sum);
    let chains = if backend.name() == "avx512" { 12 } else { 6 };
    (PEAK_STEPS * chains * 16 * 2) as f64 / time / 1e9
}

fn read_gb_per_second(backend: Backend, memory: &[f32], streams: usize) -> f64 {
    let mut sum = 0.0;
    let time = seconds(|| backend.run(Read { memory, streams, sum: &mut sum }));
    black_box(sum);
    size_of_val(memory) as f64 / time / 1e9
}

fn ids(count: usize) -> Vec<u32> {
    (0..count as u32).map(|i| (i * 7919 + 13) % 50_000).collect()
}

/// Multiplications and additions of a prefill: the head sees the last row only.
fn prefill_flops(model: &Model, rows: usize) -> usize {
    let config = &model.config;
    let head = 2 * config.vocab * config.hidden;
    (0..rows).map(|depth| flops_per_token(config, depth) - head).sum::<usize>() + head
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

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let path = arguments.first().expect("usage: ch03 MODEL.gguf [REPEATS] [with-ch02]");
    let repeats: usize =
        arguments.get(1).map_or(5, |n| n.parse().expect("a number of repeats"));
    let with_ch02 = arguments.iter().any(|argument| argument == "with-ch02");

    let file = Gguf::open(path.as_ref()).expect("the model opens");
    let stored = file.tensor("blk.0.attn_q.weight").expect("a Qwen3 model").stored.name();
    // The widest stretch of what decode reads, as it lies in the file; 16-bit numbers two at a time.
    let embedding = file.tensor("token_embd.weight").expect("a Qwen3 model").bytes;
    let memory = {
        let skip = embedding.as_ptr().align_offset(4);
        let whole = (embedding.len() - skip) / 4 * 4;
        bytemuck::cast_slice::<u8, f32>(&embedding[skip..skip + whole])
    };
    let old_file = Gguf::open(path.as_ref()).expect("the model opens");
    let old =
        with_ch02.then(|| ch02_kv_cache::model::Model::load(&old_file).expect("it loads"));

    let mut figures = Figures::default();
    let best = Backend::choose("auto").expect("there is one");
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
                (backend.name(), Model::load(&file, backend).expect("the model loads"));
            let mut cache = Mode::Contiguous.cache(&model.config, DECODE_DEPTH + DECODE_STEPS);
            let mut forward = |ids: &[u32], position| {
                black_box(model.forward(ids, position, Some(&mut *cache)).expect("room"));
            };
            forward(&ids(DECODE_DEPTH), 0);
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
                (backend.name(), Model::load(&file, backend).expect("the model loads"));
            for rows in PREFILLS {
                let peak = peak_gflops(backend).max(peak_gflops(backend));
                now.note(format!("{name}/peak_gflop_s"), peak);
                let mut cache = Mode::Contiguous.cache(&model.config, rows);
                profile::start();
                let start = Instant::now();
                let time = seconds(|| {
                    black_box(model.forward(&ids(rows), 0, Some(&mut *cache)).expect("room"));
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
        if let Some(old) = &old {
            let mut cache = ch02_kv_cache::cache::Mode::Contiguous
                .cache(&old.config, PREFILLS[0] + DECODE_STEPS);
            let mut forward = |ids: &[u32], position| {
                seconds(|| {
                    black_box(old.forward(ids, position, Some(&mut *cache)).expect("room"));
                })
            };
            let time = forward(&ids(PREFILLS[0]), 0);
            now.note(format!("ch02/prefill_{}/tok_s", PREFILLS[0]), PREFILLS[0] as f64 / time);
            for step in 0..2 {
                let time = forward(&[step], PREFILLS[0] + step as usize);
                now.note("ch02/decode/tok_s".into(), 1.0 / time);
            }
            for what in ["decode".to_string(), format!("prefill_{}", PREFILLS[0])] {
                let speed = |program| now.median(&format!("{program}/{what}/tok_s"));
                let ratio = speed(best.name()) / speed("ch02");
                now.note(format!("{}/{what}/times_ch02", best.name()), ratio);
            }
        }
        if repeat > 0 {
            for (name, values) in now.0 {
                figures.add(name, values);
            }
        }
    }
    let name = std::path::Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    let ch02 = if with_ch02 { " with-ch02" } else { "" };
    let command = format!(
        "cargo run --release -p course-tests --bin measure_ch03 -- {name} {repeats}{ch02}"
    );
    let report = json!({
        "command": command,
        "machine": Machine::describe(),
        "stored_as": stored,
        "repeats": repeats,
        "figures": figures.json(),
    });
    println!("{}", serde_json::to_string_pretty(&report).expect("a report is JSON"));
}
