//! What an operator sees: counts, and how long clients wait, in the form that Prometheus reads. Names and bounds are vLLM's,
//! so that a dashboard made for its figures shows ours.

use std::cell::Cell;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ground::request::{FinishReason, Step};

const FIRST: &[f64] = &[
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
    20.0, 40.0, 80.0, 160.0, 640.0, 2560.0,
];
const GAP: &[f64] = &[
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
    20.0, 40.0, 80.0,
];
const WHOLE: &[f64] = &[
    0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0,
    240.0, 480.0, 960.0, 1920.0, 7680.0,
];

/// How many of some times were up to each bound.
struct Histogram {
    name: &'static str,
    bounds: &'static [f64], // seconds
    counts: [u64; 23],      // up to each bound and above the one before it, and above the last
    sum: f64,
}

/// What answers took, and how they ended. A process has one server.
struct Seen {
    queued: Histogram,
    first: Histogram,
    gap: Histogram,
    whole: Histogram,
    stopped: u64,
    cut: u64, // by their limit
}

static SEEN: Mutex<Seen> = Mutex::new(Seen {
    queued: Histogram::new("request_queue_time_seconds", WHOLE),
    first: Histogram::new("time_to_first_token_seconds", FIRST),
    gap: Histogram::new("inter_token_latency_seconds", GAP),
    whole: Histogram::new("e2e_request_latency_seconds", WHOLE),
    stopped: 0,
    cut: 0,
});

fn seen() -> MutexGuard<'static, Seen> {
    SEEN.lock().expect("nothing panics with it")
}

impl Histogram {
    const fn new(name: &'static str, bounds: &'static [f64]) -> Histogram {
        Histogram { name, bounds, counts: [0; 23], sum: 0.0 }
    }

    fn note(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        self.counts[self.bounds.partition_point(|bound| *bound < seconds)] += 1;
        self.sum += seconds;
    }

    fn write(&self, text: &mut String, model: &str) {
        let Histogram { name, bounds, counts, sum } = self;
        let _ = writeln!(text, "# TYPE vllm:{name} histogram");
        let bounds = bounds.iter().map(f64::to_string).chain(["+Inf".into()]);
        let mut count = 0;
        for (bound, more) in bounds.zip(counts) {
            count += more;
            let _ = writeln!(text, "vllm:{name}_bucket{{{model},le=\"{bound}\"}} {count}");
        }
        let _ = writeln!(text, "vllm:{name}_sum{{{model}}} {sum}");
        let _ = writeln!(text, "vllm:{name}_count{{{model}}} {count}");
    }
}

/// When an answer was asked for, and when the last of its tokens was told.
#[derive(Debug)]
pub struct Stopwatch {
    asked: Instant,
    last: Cell<Option<Instant>>,
}

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch { asked: Instant::now(), last: Cell::new(None) }
    }

    /// The answer needn't wait in the queue any more.
    pub fn taken(&self) {
        seen().queued.note(self.asked.elapsed());
    }

    /// A step of the answer is told.
    pub fn told(&self, step: &Step) {
        let (now, mut seen) = (Instant::now(), seen());
        match self.last.replace(Some(now)) {
            None => seen.first.note(now - self.asked),
            Some(last) => seen.gap.note(now - last),
        }
        match step.finish {
            None => return,
            Some(FinishReason::Length) => seen.cut += 1,
            Some(_) => seen.stopped += 1,
        }
        seen.whole.note(now - self.asked);
    }
}

/// Each count of ours that vLLM has too, and its name there. The cache is asked for every token of a prompt.
const THEIRS: [(&str, &str); 9] = [
    ("requests_running", "num_requests_running"),
    ("requests_waiting", "num_requests_waiting"),
    ("prompt_tokens_total", "prompt_tokens_total"),
    ("generated_tokens_total", "generation_tokens_total"),
    ("cached_tokens_total", "prefix_cache_hits_total"),
    ("prompt_tokens_total", "prefix_cache_queries_total"),
    ("preempted_total", "num_preemptions_total"),
    ("guessed_tokens_total", "spec_decode_num_draft_tokens_total"),
    ("kept_tokens_total", "spec_decode_num_accepted_tokens_total"),
];

/// Counts under our names, those that vLLM has too under its own, and what answers took.
pub fn metrics(model: &str, counts: &[(&str, u64)]) -> String {
    let model = model.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let model = format!("model_name=\"{model}\"");
    let mut text = String::new();
    for (name, count) in counts {
        let _ = writeln!(text, "{}serve_{name} {count}", kind("serve_", name));
    }
    let count = |name: &str| counts.iter().find(|(known, _)| *known == name).map(|it| it.1);
    for (name, theirs) in THEIRS {
        // Where no prompt is looked for, none is found.
        let is_there = !theirs.starts_with("prefix") || count("cached_tokens_total").is_some();
        if let Some(count) = count(name).filter(|_| is_there) {
            let _ = writeln!(text, "{}vllm:{theirs}{{{model}}} {count}", kind("vllm:", theirs));
        }
    }
    if let Some((blocks, used)) = count("blocks").zip(count("blocks_in_use")) {
        let (name, share) = ("kv_cache_usage_perc", used as f64 / blocks as f64);
        let _ = writeln!(text, "{}vllm:{name}{{{model}}} {share}", kind("vllm:", name));
    }
    let seen = seen();
    let name = "request_success_total";
    text += &kind("vllm:", name);
    for (reason, count) in [("stop", seen.stopped), ("length", seen.cut)] {
        let _ = writeln!(text, "vllm:{name}{{{model},finished_reason=\"{reason}\"}} {count}");
    }
    for histogram in [&seen.queued, &seen.first, &seen.gap, &seen.whole] {
        histogram.write(&mut text, &model);
    }
    text
}

fn kind(whose: &str, name: &str) -> String {
    let kind = if name.ends_with("_total") { "counter" } else { "gauge" };
    format!("# TYPE {whose}{name} {kind}\n")
}
