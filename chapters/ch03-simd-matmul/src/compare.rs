use std::io::{self, Write};

use ground::error::Error;
use ground::request::{Generation, Request};
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
    let on = Some(args.kv.unwrap_or(Mode::Basic));
    let quiet = |request: &Request, kv| session.generate(request, kv, |_| Ok(()));

    // The first run of anything is slower than the second: it does not count.
    let warm_up = Request { max_new_tokens: 1, ..session.request.clone() };
    quiet(&warm_up, None)?;
    quiet(&warm_up, on)?;

    let mut pairs = Vec::new();
    for _ in 0..args.runs.get() {
        pairs.push((quiet(&session.request, None)?, quiet(&session.request, on)?));
    }
    let ratios = |figure: &dyn Fn(&Report) -> Option<f64>| -> Option<Spread> {
        let ratio = |((_, off), (_, on)): &_| Some(figure(off)? / figure(on)?);
        Spread::new(pairs.iter().map(ratio).collect::<Option<_>>()?)
    };
    let decode_speed_up = ratios(&|report| report.metrics.decode_ms_per_token());
    let whole_run_speed_up = ratios(&|report| report.metrics.forward_ms_in_all());
    let ids = |generation: &Generation| generation.generated_ids.clone();
    let same_tokens = pairs.iter().all(|((off, _), (on, _))| ids(off) == ids(on));

    let Some(((_, off), (_, on))) = pairs.pop() else { return Ok(()) };
    let runs = args.runs.get();
    Comparison { runs, decode_speed_up, whole_run_speed_up, same_tokens, off, on }.print(args)
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
