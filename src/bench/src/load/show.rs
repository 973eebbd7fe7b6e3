//! What `load` prints.

use std::io::{self, Write};

use ground::text::{NAME, one_line};

use super::Args;
use super::ask::{Answer, Asker};
use super::count::{Level, Pace, Percentiles};
use crate::sweep::recording::short;

/// What is asked, and the head of the table.
pub fn head(args: &Args, asker: &Asker, out: &mut dyn Write) -> io::Result<()> {
    let (host, model) = (&asker.server.host, one_line(&asker.model, NAME));
    let Args { prompt, answer, requests, .. } = args;
    let (first, how) = match args.rate.is_empty() {
        true => ("clients", "requests from each client"),
        false => ("rate/s", "requests at each rate, at moments of their own"),
    };
    writeln!(out, "{host}, {model}: {requests} {how},")?;
    let temperature = args.temperature.map_or("the server's default".into(), |t| t.to_string());
    writeln!(
        out,
        "prompts of about {prompt} tokens, answers of {answer}, temperature: {temperature}\n"
    )?;
    let [a, b, c] = ["first token, ms", "gap, ms", "whole answer, ms"];
    writeln!(out, "{:17}  {a:>23}  {b:>23}  {c:>23}", "")?;
    let three = format!("  {:>7} {:>7} {:>7}", "p50", "p95", "p99").repeat(3);
    let good = if args.targets.any() { "  good/s" } else { "" };
    writeln!(out, "{first:>7} {:>9}{three}  {:>6}{good}", "tok/s", "failed")
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
    let pace = match level.pace {
        Pace::Clients(clients) => clients.to_string(),
        Pace::Rate(rate) => rate.to_string(),
    };
    let good = level.request_goodput.map_or(String::new(), |good| format!("  {good:>6.2}"));
    format!("{pace:>7} {speed:>9}{times}  {:>6}{good}", level.failed)
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
