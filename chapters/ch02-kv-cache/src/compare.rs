use std::io::{self, Write};

use ground::error::Error;
use ground::request::Request;
use serde::Serialize;

use crate::Args;
use crate::cache::Mode;
use crate::report::Report;
use crate::session::Session;

/// The same request with the cache off and on, in turn, so that a slow minute hits both.
#[derive(Serialize)]
struct Comparison {
    runs: usize,
    decode_speed_up: Option<Spread>,
    whole_run_speed_up: Option<Spread>,
    same_tokens: bool,
    off: Report,
    on: Report,
}

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

pub fn compare(session: &Session, args: &Args) -> Result<(), Error> {
    let kv = Some(args.kv.unwrap_or(Mode::Basic));
    let quiet = |request: &Request, kv| session.generate(request, kv, |_| Ok(()));

    // The first run of anything is slower than the second: it does not count.
    let warm_up = Request { max_new_tokens: 1, ..session.request.clone() };
    let (_, mut off) = quiet(&warm_up, None)?;
    let (_, mut on) = quiet(&warm_up, kv)?;

    let runs = args.runs.get();
    let (mut decode, mut whole_run, mut same_tokens) = (Vec::new(), Vec::new(), true);
    let in_all = |report: &Report| Some(report.metrics.forward_ms.as_ref()?.sum);
    for _ in 0..runs {
        let (without, with);
        (without, off) = quiet(&session.request, None)?;
        (with, on) = quiet(&session.request, kv)?;
        let speeds = [&on, &off].map(|report| report.metrics.decode_tokens_per_second);
        decode.extend(ratio(speeds));
        whole_run.extend(ratio([in_all(&off), in_all(&on)]));
        same_tokens &= without.generated_ids == with.generated_ids;
    }
    let (decode_speed_up, whole_run_speed_up) = (Spread::new(decode), Spread::new(whole_run));
    Comparison { runs, decode_speed_up, whole_run_speed_up, same_tokens, off, on }.print(args)
}

/// The first by the second, if both exist: a run of one token has no decode speed.
fn ratio([over, under]: [Option<f64>; 2]) -> Option<f64> {
    Some(over? / under?)
}

impl Comparison {
    fn print(&self, args: &Args) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        if args.common.json {
            serde_json::to_writer(&mut out, self).map_err(io::Error::from)?;
            return Ok(writeln!(out)?);
        }
        writeln!(out, "without a cache:")?;
        self.off.print(&mut out, args.timings)?;
        writeln!(out, "\nwith the cache:")?;
        self.on.print(&mut out, args.timings)?;
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
        let same = if self.same_tokens { "the same" } else { "DIFFERENT" };
        Ok(writeln!(out, "tokens: {same}")?)
    }
}
