//! `load`: some clients ask a server at once, each one request after the other, and each measures how long it waits.

mod ask;
mod count;
mod http;
mod show;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use catalog::error::problem;
use catalog::tidy::tidy;
use clap::builder::RangedU64ValueParser;
use ground::error::Error;
use ground::progress_bar::Bar;
use serde::Serialize;

use crate::sweep::check_writable;
use crate::whole_file;
use ask::{Answer, Asker, prompt};
use count::Level;
use http::Server;

/// Which server, and what to ask it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Where it listens, such as http://127.0.0.1:8080
    url: String,

    /// How many clients ask at once; each number is a line of the table
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,4,16", value_parser = up_to(1000))]
    clients: Vec<usize>,

    /// About how many tokens a prompt has; no two prompts are the same
    #[arg(long, value_name = "N", default_value = "128", value_parser = up_to(1_000_000))]
    prompt: usize,

    /// How many tokens an answer has
    #[arg(long, value_name = "N", default_value = "64", value_parser = up_to(1_000_000))]
    answer: usize,

    /// How many requests each client makes, one after the other
    #[arg(long, value_name = "N", default_value = "4", value_parser = up_to(1_000_000))]
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

    /// Which words the prompts are made of: a server may still remember those of the last run
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Give a request up after this long, and count it as failed
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = up_to(86_400))]
    timeout: usize,

    /// Print one JSON object, with every answer's times, instead of a table
    #[arg(long)]
    json: bool,

    /// Draw how long clients wait, as an SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A list of models takes no computing.
const SOON: Duration = Duration::from_secs(10);

fn up_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    url: String,
    model: String,
    prompt: usize,
    answer: usize,
    requests_per_client: usize,
    seed: u64,
    ignore_eos: bool,
    levels: Vec<Level>,
}

/// Asks, prints and draws.
pub fn run(args: &Args) -> Result<(), Error> {
    if let Some(path) = &args.svg {
        check_writable(path)?;
    }
    let mut out = io::stdout().lock();
    let report = measure(args, &mut out, &mut io::stderr())?;
    if args.json {
        let json = serde_json::to_string(&report).and_then(|json| tidy(&json));
        write!(out, "{}", json.map_err(io::Error::from)?)?;
    }
    if let Some(Level { clients, .. }) = report.levels.last().filter(|level| level.none()) {
        return Err(problem(format!(
            "none of {clients} clients got an answer, so no more of them were tried"
        )));
    }
    args.svg.as_ref().map_or(Ok(()), |path| whole_file::write(path, &show::draw(&report)))
}

/// One number of clients after the other. What failed is told on `told`, each reason once.
fn measure(args: &Args, out: &mut dyn Write, told: &mut dyn Write) -> Result<Report, Error> {
    let limit = Duration::from_secs(args.timeout as u64);
    let server = Server::new(&args.url, args.key.clone()).map_err(problem)?;
    let model = match &args.model {
        Some(name) => name.clone(),
        None => Asker::first_model(&server, limit.min(SOON)).map_err(problem)?,
    };
    let asker = Asker { server, model, ignore_eos: !args.no_ignore_eos, limit };

    // A first request says whether there will be answers at all, and how many tokens a word has in this vocabulary.
    let words = args.prompt.min(32);
    let first = asker.ask(&prompt(args.seed, 0, words), args.answer.min(2)).map_err(problem)?;
    let words = (args.prompt * words).div_ceil((first.prompt_tokens as usize).max(words));

    let mut out = (!args.json).then_some(out);
    if let Some(out) = &mut out {
        show::head(args, &asker, out)?;
    }
    let (mut levels, mut known) = (Vec::new(), BTreeSet::new());
    let mut number = 1;
    for clients in args.clients.iter().copied() {
        let level = ask_at_once(args, &asker, clients, words, number)?;
        number += (clients * args.requests) as u64;
        if let Some(out) = &mut out {
            writeln!(out, "{}", show::row(&level))?;
            out.flush()?;
        }
        for (why, times) in &level.failures {
            if known.insert(why.clone()) {
                writeln!(told, "failed, {times} of {}: {why}", clients * args.requests)?;
            }
        }
        levels.push(level);
        if levels.last().is_some_and(Level::none) {
            break; // more clients would fare no better
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
        requests_per_client: args.requests,
        seed: args.seed,
        ignore_eos: asker.ignore_eos,
        levels,
    })
}

/// So many threads, each of which asks again as soon as it has its answer. The first request has this number.
fn ask_at_once(
    args: &Args,
    asker: &Asker,
    clients: usize,
    words: usize,
    number: u64,
) -> Result<Level, Error> {
    let mut bar = Bar::new("asking", (clients * args.requests) as u64);
    let start = Instant::now();
    let all = thread::scope(|scope| {
        let (send, answers) = mpsc::channel();
        for client in 0..clients {
            let send = send.clone();
            let work = move || {
                for round in 0..args.requests {
                    let number = number + (round * clients + client) as u64;
                    let prompt = prompt(args.seed, number, words);
                    let _ = send.send(asker.ask(&prompt, args.answer));
                }
            };
            thread::Builder::new().spawn_scoped(scope, work)?;
        }
        drop(send);
        let all = answers.into_iter().inspect(|_| bar.advance(1)).collect();
        Ok::<Vec<Result<Answer, String>>, Error>(all)
    })?;
    Ok(Level::new(clients, start.elapsed().as_secs_f64(), all))
}
