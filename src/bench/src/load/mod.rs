//! `load`: clients ask a server, each one request after the other or at a rate that doesn't wait for it, and each measures
//! how long it waits.

mod ask;
mod count;
mod http;
mod show;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use catalog::error::problem;
use catalog::tidy::tidy;
use clap::builder::{ArgPredicate, RangedU64ValueParser};
use ground::error::Error;
use ground::progress_bar::Bar;
use ground::random::SplitMix64;
use serde::Serialize;

use ask::{Asker, Told, prompt};
use count::{Level, Pace, Targets};
use http::Server;

/// Which server, and what to ask it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Where it listens, such as http://127.0.0.1:8080
    url: String,

    /// Closed loop: how many clients ask at once, each again when it has its answer; each number is a line of the table
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,4,16", value_parser = up_to(1000))]
    clients: Vec<usize>,

    /// Open loop: how many requests begin in a second, however many are unanswered; each number is a line of the table
    ///
    /// People who come to a server don't wait for one another. --clients do: when the server stalls, they stop asking, and few
    /// requests see the stall. Here they begin at moments as random as calls at a switchboard, a Poisson process by --seed, the
    /// last at --requests / R seconds, and wait from that moment on, even if they could not be sent then. Where the rate is more
    /// than the server can do, first tokens come later and later.
    #[arg(long, value_name = "R,R", value_delimiter = ',', conflicts_with = "clients", value_parser = within(1e-3..=1e4))]
    rate: Vec<f64>,

    #[command(flatten)]
    targets: Targets,

    /// The temperature to ask for [default: none is sent, so that the server's own is measured]
    ///
    /// 0 takes the likeliest token each time. Anything else draws one, after a pass over the whole vocabulary, which is work
    /// of another kind for the server, and more of it.
    #[arg(long, value_name = "T", value_parser = within(0.0..=2.0))]
    temperature: Option<f64>,

    /// About how many tokens a prompt has; no two prompts are the same
    #[arg(long, value_name = "N", default_value = "128", value_parser = up_to(1_000_000))]
    prompt: usize,

    /// How many tokens an answer has
    #[arg(long, value_name = "N", default_value = "64", value_parser = up_to(1_000_000))]
    answer: usize,

    /// How many requests each client makes, or how many begin at each --rate [default: 4, or 64]
    #[arg(long, value_name = "N", default_value = "4", default_value_if("rate", ArgPredicate::IsPresent, "64"),
        hide_default_value = true, value_parser = up_to(1_000_000))]
    requests: usize,

    /// The model to ask for [default: the first that the server names]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// The server's API key
    #[arg(long)]
    key: Option<String>,

    /// Do not send "ignore_eos", for a server that refuses it; answers may then be shorter
    #[arg(long)]
    no_ignore_eos: bool,

    /// Which words the prompts are made of, and when those at a rate begin: a server may still remember those of the last run
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Give a request up after this long, and count it as failed
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = up_to(86_400))]
    timeout: usize,

    /// Print one JSON object, with every answer's times, instead of a table
    #[arg(long)]
    json: bool,
}

/// A list of models takes no computing.
const SOON: Duration = Duration::from_secs(10);

fn up_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

fn within(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("not a number from {} to {}", range.start(), range.end())),
    }
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    url: String,
    model: String,
    prompt: usize,
    answer: usize,
    /// From each client, or at each rate.
    requests: usize,
    /// Null: the server's own.
    temperature: Option<f64>,
    #[serde(flatten)]
    targets: Targets,
    seed: u64,
    ignore_eos: bool,
    levels: Vec<Level>,
}

/// Asks and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let report = measure(args, &mut out, &mut io::stderr())?;
    if args.json {
        let json = serde_json::to_string(&report).and_then(|json| tidy(&json));
        write!(out, "{}", json.map_err(io::Error::from)?)?;
    }
    if report.levels.last().is_some_and(Level::none) {
        return Err(problem(
            "not one request of the last line got an answer, so no more were tried".into(),
        ));
    }
    Ok(())
}

/// One number of clients, or one rate, after the other. What failed is told on `told`, each reason once.
fn measure(args: &Args, out: &mut dyn Write, told: &mut dyn Write) -> Result<Report, Error> {
    let limit = Duration::from_secs(args.timeout as u64);
    let server = Server::new(&args.url, args.key.clone()).map_err(problem)?;
    let model = match &args.model {
        Some(name) => name.clone(),
        None => Asker::first_model(&server, limit.min(SOON)).map_err(problem)?,
    };
    let temperature = args.temperature;
    let asker = Asker { server, model, temperature, ignore_eos: !args.no_ignore_eos, limit };

    // A first request says whether there will be answers at all, and how many tokens a word has in this vocabulary.
    let words = args.prompt.min(32);
    let first = asker.ask(&prompt(args.seed, 0, words), args.answer.min(2), Instant::now());
    let first = first.map_err(problem)?;
    let words = (args.prompt * words).div_ceil((first.prompt_tokens as usize).max(words));

    let mut out = (!args.json).then_some(out);
    if let Some(out) = &mut out {
        show::head(args, &asker, out)?;
    }
    let (mut levels, mut known) = (Vec::new(), BTreeSet::new());
    let mut number = 1;
    let rates = args.rate.iter().copied().map(Pace::Rate);
    let clients = args.clients.iter().copied().map(Pace::Clients);
    let clients = clients.filter(|_| args.rate.is_empty()); // else they are the default ones
    for pace in rates.chain(clients) {
        let level = ask_all(args, &asker, pace, words, number, Instant::now())?;
        let count = level.answers.len() + level.failed;
        number += count as u64;
        if let Some(out) = &mut out {
            writeln!(out, "{}", show::row(&level))?;
            out.flush()?;
        }
        for (why, times) in &level.failures {
            if known.insert(why.clone()) {
                writeln!(told, "failed, {times} of {count}: {why}")?;
            }
        }
        levels.push(level);
        if levels.last().is_some_and(Level::none) {
            break; // more of them would fare no better
        }
    }
    if let Some(out) = &mut out {
        show::remark(&levels, out)?;
    }
    Ok(Report {
        url: format!("http://{}", asker.server.host),
        model: asker.model,
        prompt: args.prompt,
        answer: args.answer,
        requests: args.requests,
        temperature,
        targets: args.targets,
        seed: args.seed,
        ignore_eos: asker.ignore_eos,
        levels,
    })
}

/// So many threads, each of which asks again as soon as it has its answer; at a rate, a thread for each request when it's due.
/// The first request has this number, and a rate's clock begins at `start`.
fn ask_all(
    args: &Args,
    asker: &Asker,
    pace: Pace,
    words: usize,
    number: u64,
    start: Instant,
) -> Result<Level, Error> {
    let (clients, rounds, due) = match pace {
        Pace::Clients(clients) => (clients, args.requests, None),
        Pace::Rate(rate) => (args.requests, 1, Some(moments(args.seed, args.requests, rate))),
    };
    let mut bar = Bar::new("asking", (clients * rounds) as u64);
    let all = thread::scope(|scope| {
        let (send, answers) = mpsc::channel();
        for client in 0..clients {
            let due = due.as_ref().map(|due| start + due[client]);
            if let Some(due) = due {
                thread::sleep(due.saturating_duration_since(Instant::now()));
                bar.advance(1);
            }
            let send = send.clone();
            let work = move || {
                for round in 0..rounds {
                    let number = number + (round * clients + client) as u64;
                    let prompt = prompt(args.seed, number, words);
                    let due = due.unwrap_or_else(Instant::now);
                    let _ = send.send(asker.ask(&prompt, args.answer, due));
                }
            };
            thread::Builder::new().spawn_scoped(scope, work)?;
        }
        drop(send);
        let told = answers.into_iter().inspect(|_| bar.advance(u64::from(due.is_none())));
        Ok::<Vec<Told>, Error>(told.collect())
    })?;
    Ok(Level::new(pace, args.targets, start.elapsed().as_secs_f64(), all))
}

/// When so many requests are due that begin at this rate: a Poisson process whose last one comes at `count / rate` seconds.
/// Those before it are then anywhere, each moment as likely as any other.
fn moments(seed: u64, count: usize, rate: f64) -> Vec<Duration> {
    let mut random = SplitMix64::new(!seed); // prompts draw from the seed itself
    let mut at: Vec<f64> = (1..count).map(|_| random.fraction()).chain([1.0]).collect();
    at.sort_by(f64::total_cmp);
    at.into_iter().map(|share| Duration::from_secs_f64(share * count as f64 / rate)).collect()
}
