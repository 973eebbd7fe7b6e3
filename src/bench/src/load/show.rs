//! What `load` prints and draws.

use std::io::{self, Write};

use ground::text::{NAME, one_line};

use super::ask::{Answer, Asker};
use super::count::{Level, Percentiles};
use super::{Args, Report};
use crate::plot::chart::{self, Chart, Dot, Drawn, Series};
use crate::sweep::recording::short;

/// What is asked, and the head of the table.
pub fn head(args: &Args, asker: &Asker, out: &mut dyn Write) -> io::Result<()> {
    let (host, model) = (&asker.server.host, one_line(&asker.model, NAME));
    let Args { prompt, answer, requests, .. } = args;
    writeln!(out, "{host}, {model}: {requests} requests from each client,")?;
    writeln!(out, "prompts of about {prompt} tokens, answers of {answer}\n")?;
    let [a, b, c] = ["first token, ms", "gap, ms", "whole answer, ms"];
    writeln!(out, "{:17}  {a:>23}  {b:>23}  {c:>23}", "")?;
    let three = format!("  {:>7} {:>7} {:>7}", "p50", "p95", "p99").repeat(3);
    writeln!(out, "{:>7} {:>9}{three}  {:>6}", "clients", "tok/s", "failed")
}

/// A level's line of the table.
pub fn row(level: &Level) -> String {
    let three = |figures: Option<Percentiles>| {
        let figures = figures.map(|figures| [figures.p50, figures.p95, figures.p99].map(short));
        let [p50, p95, p99] = figures.unwrap_or(["n/a"; 3].map(String::from));
        format!("  {p50:>7} {p95:>7} {p99:>7}")
    };
    let times = [level.first_token_ms, level.gap_ms, level.total_ms].map(three).concat();
    let speed = short(level.tokens_per_second);
    format!("{:>7} {speed:>9}{times}  {:>6}", level.clients, level.failed)
}

/// What the server says of its tokens, which need not be what was asked for.
pub fn remark(levels: &[Level], out: &mut dyn Write) -> io::Result<()> {
    let all = || levels.iter().flat_map(|level| &level.answers);
    let range = |figure: fn(&Answer) -> u64| {
        let (least, most) = (all().map(figure).min(), all().map(figure).max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        if least == most { most.to_string() } else { format!("{least} to {most}") }
    };
    let (prompts, answers) =
        (range(|answer| answer.prompt_tokens), range(|answer| answer.tokens));
    writeln!(
        out,
        "\nBy the server's count: prompts of {prompts} tokens, answers of {answers}."
    )?;
    let sum = |figure: fn(&Answer) -> u64| all().map(figure).sum::<u64>();
    let (cached, of) = (sum(|answer| answer.cached_tokens), sum(|answer| answer.prompt_tokens));
    if cached * 10 > of {
        let again = "another --seed makes it read all";
        writeln!(out, "It remembered {cached} of the prompts' {of} tokens: {again}.")?;
    }
    Ok(())
}

/// How long clients wait, over how many they are.
pub fn draw(report: &Report) -> String {
    let line = |style: usize, name: &str, figure: &dyn Fn(&Level) -> Option<f64>| {
        let dot = |level: &Level| Some(Dot { x: level.clients as f64, y: figure(level)? });
        let points = report.levels.iter().filter_map(dot).collect();
        Series { name: name.into(), style, drawn: Drawn::Marked, points }
    };
    let mut series = vec![
        line(0, "whole answer, p50", &|level| Some(level.total_ms?.p50)),
        line(1, "first token, p95", &|level| Some(level.first_token_ms?.p95)),
        line(2, "first token, p50", &|level| Some(level.first_token_ms?.p50)),
        line(3, "gap, p99", &|level| Some(level.gap_ms?.p99)),
        line(4, "gap, p50", &|level| Some(level.gap_ms?.p50)),
    ];
    series.retain(|series| !series.points.is_empty());
    let speeds = report.levels.iter().map(|level| short(level.tokens_per_second));
    chart::draw(&Chart {
        title: format!("{}: what clients wait for", report.model),
        x: "clients at once".into(),
        y: "ms".into(),
        log: true,
        log_x: true,
        series,
        note: Some(format!(
            "tok/s of all together, from left to right: {}",
            speeds.collect::<Vec<_>>().join(", ")
        )),
    })
}
