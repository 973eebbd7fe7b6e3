//! Whether the parts of a profile add up to what a run has to do, which the shape of the model says.

use ground::config::Config;
use ground::gguf::Gguf;
use serde_json::Value;

use crate::engine::{Engine, Question, Tried};
use crate::judgement::Judgement;
use crate::wrong::{Wrong, said};
use catalog::manifest::Way;

const TOKENS: usize = 3;

/// Operations, bytes, calls and time; and the same parts in the table that people read.
pub fn adds_up(engine: &Engine, way: &Way, judgement: &Judgement, prompt: &[u32]) -> Tried {
    let question = Question::of(&judgement.model_file, prompt, TOKENS);
    let question = question.with(&["--ignore-eos", "--profile"]);
    let metrics = engine.ask(way, &question)?.metrics.unwrap_or_default();
    let table = engine.run(way, &question)?.errors;
    // What computes nothing may be a part of what does: waiting for threads is.
    let all = metrics["profile"].as_array().into_iter().flatten();
    let parts: Vec<&Value> = all.filter(|part| part["flops"] != 0).collect();
    // Who is held to that judgement keeps its keys and values in sixteen bits.
    let kept = if engine.judge.as_deref() == Some("f16") { 2 } else { size_of::<f32>() };
    let work = Work::of(way, &config(judgement), prompt.len(), kept);
    let wrong = counts(&metrics, &parts, &work)
        .or_else(|| times(&metrics, &parts))
        .or_else(|| rows(&table, &parts));
    wrong.map_or(Ok(()), |said| {
        let place = format!("{} of the profile", said.figure);
        Err(engine.mistake(way, &question, &place, said.wanted, said.found))
    })
}

/// A prompt in chunks reads the weights of the layers once for each of them: else it was not cut.
pub fn in_chunks(engine: &Engine, judgement: &Judgement) -> Tried {
    for way in engine.ways_here().filter(|way| chunks(way, PROMPT.len()) > 1) {
        adds_up(engine, way, judgement, &PROMPT)
            .map_err(|mistake| mistake.look("src/model.rs, src/session.rs"))?;
    }
    Ok(())
}

/// Longer than any chunk that a chapter's ways ask for.
const PROMPT: [u32; 9] = [7, 3, 5, 2, 7, 3, 5, 2, 7];

/// In how many chunks a prompt is read.
fn chunks(way: &Way, prompt: usize) -> usize {
    let chunk = way.flags.iter().find_map(|flag| flag.strip_prefix("--prefill-chunk="));
    chunk.and_then(|chunk| chunk.parse().ok()).map_or(1, |chunk| prompt.div_ceil(chunk))
}

fn counts(metrics: &Value, parts: &[&Value], work: &Work) -> Option<Wrong> {
    let sum = |field: &str| parts.iter().filter_map(|part| part[field].as_u64()).sum::<u64>();
    if sum("flops") != work.flops {
        return Some(said("all operations", work.flops, sum("flops")));
    }
    let weights = metrics["roofline"]["weight_bytes_per_token"].as_u64()?;
    let bytes = weights.saturating_sub(work.norm_bytes) * TOKENS as u64 + work.cached_bytes;
    match (work.chunks, sum("bytes")) {
        (1, found) => (found != bytes).then(|| said("all bytes", bytes, found)),
        (chunks, found) => (found <= bytes).then(|| {
            let wanted = format!(
                "more than {bytes}: each of the {chunks} chunks of the prompt reads the layers"
            );
            said("all bytes", wanted, found)
        }),
    }
}

fn times(metrics: &Value, parts: &[&Value]) -> Option<Wrong> {
    let mut sum = 0.0;
    for part in parts {
        let (calls, ms) =
            (part["calls"].as_u64().unwrap_or(0), part["ms"].as_f64().unwrap_or(0.0));
        if calls < TOKENS as u64 || ms <= 0.0 {
            let wanted = format!("some time, and a call in each of the {TOKENS} passes");
            return Some(said(&part["name"].to_string(), wanted, part));
        }
        sum += ms;
    }
    let passes = metrics["forwards"].as_array()?;
    let most: f64 = passes.iter().filter_map(|pass| pass["ms"].as_f64()).sum();
    let wanted = format!("at most {most}, the time of the passes");
    (sum > most).then(|| said("the time", wanted, sum))
}

fn rows(table: &str, parts: &[&Value]) -> Option<Wrong> {
    for name in parts.iter().filter_map(|part| part["name"].as_str()) {
        let row = table.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or("");
        if ![" calls", " GB/s", " GFLOP/s"].iter().all(|unit| row.contains(unit)) {
            let wanted = format!("{name} with its calls, GB/s and GFLOP/s");
            return Some(said("a row in the table", wanted, format!("{row:?}")));
        }
    }
    None
}

fn config(judgement: &Judgement) -> Config {
    let file = Gguf::open(&judgement.model_file).expect("a fixture opens");
    Config::from_gguf(&file).expect("a fixture is sound")
}

/// What all passes together have to do.
#[derive(Default)]
struct Work {
    flops: u64,
    cached_bytes: u64, // keys and values that queries look at
    chunks: usize,     // of the prompt
    norm_bytes: u64,   // weights that every token goes through, and that are in no part
}

impl Work {
    fn of(way: &Way, config: &Config, prompt: usize, kept: usize) -> Work {
        let float = size_of::<f32>();
        let (query, key) = (config.heads * config.head_dim, config.kv_heads * config.head_dim);
        let layer = config.hidden * (2 * query + 2 * key + 3 * config.ffn);
        let norms = config.layers * (2 * config.hidden + 2 * config.head_dim) + config.hidden;
        let chunks = chunks(way, prompt);
        let mut work = Work { chunks, norm_bytes: (norms * float) as u64, ..Work::default() };
        for token in 0..TOKENS {
            let seen = prompt + token;
            let rows = if way.recomputes || token == 0 { seen } else { 1 };
            let pairs: usize = (seen - rows + 1..=seen).sum(); // a row looks at itself and all before it
            let products = config.layers * layer * rows + config.vocab * config.hidden;
            work.flops += (2 * products + 4 * config.layers * pairs * query) as u64;
            work.cached_bytes += (2 * config.layers * pairs * key * kept) as u64;
        }
        work
    }
}
