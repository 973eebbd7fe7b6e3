//! The report of a run.

use std::io::{self, Write};

use ground::config::Config;
use ground::error::Error;
use ground::machine::{Machine, peak_memory};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::forward::{Forward, milliseconds};
use crate::metrics::{Metrics, Summary};
use crate::profile::Operation;
use crate::roofline::{BytesRead, Roofline};

/// What only a chapter can describe: a text for the table, and a value for JSON.
pub struct Fact {
    pub text: String,
    pub value: Value,
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// All that a run has to say about its cost: for people as a table, for machines as JSON.
#[derive(Serialize)]
pub struct Report {
    pub program: &'static str,
    pub version: &'static str,
    pub flags: Vec<String>,
    pub machine: Machine,
    pub model: String,
    pub stored_as: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    pub weight_bytes: usize,
    pub load_ms: f64,
    pub ended: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<Fact>,
    #[serde(flatten)]
    pub metrics: Metrics,
    pub roofline: Roofline,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_in_advance_bytes: Option<Fact>,
    pub peak_memory_bytes: Option<u64>,
    pub forwards: Vec<Forward>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Vec<Operation>>,
}

impl Report {
    /// What every chapter says likewise; the rest is the chapter's to fill in.
    pub fn new(config: &Config, metrics: Metrics, bytes: BytesRead) -> Report {
        let roofline = Roofline::new(config, bytes, metrics.middle_depth());
        Report {
            program: "",
            version: env!("CARGO_PKG_VERSION"),
            flags: Vec::new(),
            machine: Machine::describe(),
            model: config.name.clone(),
            stored_as: "",
            backend: None,
            threads: None,
            weight_bytes: 0,
            load_ms: 0.0,
            ended: "",
            cache: None,
            metrics,
            roofline,
            memory_in_advance_bytes: None,
            peak_memory_bytes: peak_memory(),
            forwards: Vec::new(),
            profile: None,
        }
    }

    /// Compares decode with memory that gives `bandwidth` bytes per second, if that was measured.
    pub fn bound(&mut self, bandwidth: Option<f64>) {
        if let Some(bandwidth) = bandwidth {
            self.roofline.bound(bandwidth, self.metrics.decode_tokens_per_second);
        }
    }

    pub fn json(&self) -> Result<Value, Error> {
        Ok(serde_json::to_value(self).map_err(io::Error::from)?)
    }

    /// The table for people.
    pub fn print(&self, out: &mut dyn Write, timings: bool) -> io::Result<()> {
        let (metrics, roofline) = (&self.metrics, &self.roofline);
        let mut line = |name: &str, value: String| writeln!(out, "{name:>22}  {value}");

        line("model", format!("{} ({})", self.model, self.stored_as))?;
        if let Some(backend) = self.backend {
            line("backend", backend.into())?;
        }
        if let Some(threads) = self.threads {
            line("threads", threads.to_string())?;
        }
        line("weights in memory", megabytes(self.weight_bytes))?;
        line("load", format!("{:.1} ms", self.load_ms))?;
        if let Some(Fact { text, .. }) = &self.cache {
            line("cache", text.clone())?;
        }
        line("tokens", format!("{} + {}", metrics.prompt_tokens, metrics.generated_tokens))?;
        line("ended", self.ended.into())?;
        line("time to first token", figure(metrics.time_to_first_token_ms, "ms"))?;
        line("prefill", figure(metrics.prefill_tokens_per_second, "tok/s"))?;
        line("decode", figure(metrics.decode_tokens_per_second, "tok/s"))?;
        line("forward passes", spread(metrics.forward_ms.as_ref()))?;
        line("of these, decode", spread(metrics.decode_ms.as_ref()))?;
        let read = roofline.weight_bytes_per_token + roofline.kv_bytes_per_token;
        line("a decode step reads", format!("{} at least", megabytes(read)))?;
        line("memory gives", figure(roofline.bandwidth_gb_per_second, "GB/s"))?;
        let bound = figure(roofline.bound_tokens_per_second, "tok/s at most");
        line("so decode can reach", bound)?;
        let share = roofline.share_of_bound.map(|share| share * 100.0);
        line("of this it reached", figure(share, "%"))?;
        if let Some(Fact { text, .. }) = &self.memory_in_advance_bytes {
            line("memory in advance", text.clone())?;
        }
        let peak = self.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6);
        line("peak memory", figure(peak, "MB"))?;

        for (index, forward) in self.forwards.iter().enumerate().filter(|_| timings) {
            let Forward { phase, tokens, time } = forward;
            let ms = milliseconds(*time);
            line("forward", format!("{:>4} {phase:?} tokens {tokens} {ms:.3} ms", index + 1))?;
        }
        for operation in self.profile.iter().flatten() {
            let Operation { name, calls, ms, .. } = operation;
            let (gb, gflop) = (operation.gb_per_second(), operation.gflop_per_second());
            let (gb, gflop) = (figure(gb, "GB/s"), figure(gflop, "GFLOP/s"));
            line(name, format!("{ms:>10.1} ms in {calls:>6} calls {gb:>12} {gflop:>15}"))?;
        }
        Ok(())
    }
}

pub fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn figure(value: Option<f64>, unit: &str) -> String {
    value.map_or("n/a".into(), |value| format!("{value:.2} {unit}"))
}

fn spread(summary: Option<&Summary>) -> String {
    let Some(Summary { n, min, max, mean, median, p95, p99, .. }) = summary else {
        return "n/a".into();
    };
    format!(
        "{n}: median {median:.2} ms, mean {mean:.2}, min {min:.2}, P95 {p95:.2}, P99 {p99:.2}, max {max:.2}"
    )
}
