use std::io::{self, Write};
use std::num::NonZeroUsize;

use ground::error::Error;
use ground::request::Request;
use serde::Serialize;

use crate::cache::Mode;
use crate::report::Report;
use crate::session::Session;

/// The same request with the cache off and on, in turn, so that a slow minute hits both.
#[derive(Serialize)]
pub struct Comparison {
    runs: usize,
    decode_speed_up: Option<Spread>,
    whole_run_speed_up: Option<Spread>,
    pub same_reply: bool,
    pub off: Report,
    pub on: Report,
}

/// The one thing that a cache may never do.
#[derive(Debug, thiserror::Error)]
#[error(
    "with the cache the reply differs from the one without: its tokens, its text or its end"
)]
pub struct AnotherReply;

/// How many times faster, run by run.
#[derive(Serialize)]
struct Spread {
    median: f64,
    min: f64,
    max: f64,
}

impl Spread {
    fn new(mut ratios: Vec<f64>) -> Option<Spread> {
        ratios.sort_by(f64::total_cmp);
        let (min, max) = (*ratios.first()?, *ratios.last()?);
        let middle = ratios[(ratios.len() - 1) / 2] + ratios[ratios.len() / 2];
        Some(Spread { median: middle / 2.0, min, max })
    }
}

pub fn compare(
    session: &Session,
    request: &Request,
    kv: Mode,
    runs: NonZeroUsize,
) -> Result<Comparison, Error> {
    let quiet = |request: &Request, kv: Mode| session.generate(request, kv, |_| Ok(()));

    // The first run of anything is slower than the second: it does not count.
    let warm_up = request.shortened(1);
    let (_, mut without) = quiet(&warm_up, Mode::Off)?;
    let (_, mut with) = quiet(&warm_up, kv)?;

    let (mut decode, mut whole_run, mut same_reply) = (Vec::new(), Vec::new(), true);
    let in_all = |report: &Report| Some(report.metrics.forward_ms.as_ref()?.sum);
    for _ in 0..runs.get() {
        let (expected, found);
        (expected, without) = quiet(request, Mode::Off)?;
        (found, with) = quiet(request, kv)?;
        let speeds = [&with, &without].map(|report| report.metrics.decode_tokens_per_second);
        decode.extend(ratio(speeds));
        whole_run.extend(ratio([in_all(&without), in_all(&with)]));
        same_reply &= found == expected;
    }
    Ok(Comparison {
        runs: runs.get(),
        decode_speed_up: Spread::new(decode),
        whole_run_speed_up: Spread::new(whole_run),
        same_reply,
        off: without,
        on: with,
    })
}

/// The first by the second, if both exist: a run of one token has no decode speed.
fn ratio([over, under]: [Option<f64>; 2]) -> Option<f64> {
    Some(over? / under?)
}

impl Comparison {
    /// Prints it all, and fails if the replies differ: then no number in it means anything.
    pub fn print(&self, out: &mut dyn Write, json: bool, timings: bool) -> Result<(), Error> {
        if json {
            serde_json::to_writer(&mut *out, self).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            self.print_tables(out, timings)?;
        }
        if self.same_reply { Ok(()) } else { Err(Error::chapter(AnotherReply)) }
    }

    fn print_tables(&self, out: &mut dyn Write, timings: bool) -> io::Result<()> {
        writeln!(out, "without a cache:")?;
        self.off.print(out, timings)?;
        writeln!(out, "\nwith the cache:")?;
        self.on.print(out, timings)?;
        writeln!(out)?;
        for (name, speed_up) in
            [("decode", &self.decode_speed_up), ("the whole run", &self.whole_run_speed_up)]
        {
            let Some(Spread { median, min, max }) = speed_up else { continue };
            let runs = self.runs;
            writeln!(
                out,
                "{name}: {median:.2} times as fast ({min:.2} to {max:.2}, {runs} runs)"
            )?;
        }
        let same = if self.same_reply { "the same" } else { "DIFFERENT" };
        writeln!(out, "reply: {same}")
    }
}
