//! `measure ch05`: how fast the reader's own chapter is as it stands, in turn with the chapter before, beside what the
//! book has recorded of each step. It runs two other tools, `synth` and `sweep`, and says which commands these were.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use bench::sweep::recording::{Recording, Spread, short};
use bench::{sweep, synth};
use catalog::chapters;
use catalog::error::{problem, problem_at};
use clap::Parser;
use ground::error::Error;

/// Which chapter to measure.
#[derive(clap::Args)]
pub struct Args {
    /// The chapter, as ch05; yours is in my/ch05
    chapter: String,

    /// How the weights are stored, such as q4_0 [default: as in the chapter's table of all steps]
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
}

/// Measures for some ten seconds, and prints both tables.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let short = chapters::find(&root, &args.chapter)?.chapter.short;
    let own = chapters::own(&root, &short);
    if !own.join("Cargo.toml").is_file() {
        return Err(problem(format!(
            "there is no my/{short} yet: `cargo run -- start {short}`"
        )));
    }
    let (kind, recording) = recorded(&root, &short, args.kind.as_deref())?;
    let (Some(first), Some(last)) = (recording.cells.first(), recording.cells.last()) else {
        return Err(problem(format!("the recording of {short} is empty")));
    };
    let model = chapters::aside(&root).join(format!("measure-{kind}.gguf"));
    let model = shown(&model)?;
    if !Path::new(&model).exists() {
        fs::create_dir_all(chapters::aside(&root))?;
        // The widths of Qwen3-0.6B, but fewer layers and words: a ninth of the weights, so that slow steps take no minutes.
        tool(&["synth", "--type", &kind, "--layers", "4", "--vocab", "8192", &model])?;
    }
    let program = shown(&chapters::build_release(&own, &format!("my-{short}"))?)?;
    let flags = last.setting.split_once(' ').map_or("", |(_, flags)| flags);
    let mine = format!("{program} {flags}");
    let size = ["--prompt", "64", "-n", "17", "--repeat", "3", "--compare", "--model", &model];
    let runs = ["--run", &first.setting, "--run", mine.trim()];
    tool(&[&["sweep"][..], &size, &runs].concat())?;

    let mut out = io::stdout().lock();
    let cpu = recording.machine["cpu"].as_str().unwrap_or("another machine");
    let design = recording.machine["design"].as_str();
    let design = design.map_or(String::new(), |design| format!(" ({design})"));
    writeln!(
        out,
        "\nRecorded in the book, on {cpu}{design}, with a model of nine times the weights:"
    )?;
    writeln!(out, "  {:<36} {:>13} {:>13}", "", "prefill tok/s", "decode tok/s")?;
    for cell in &recording.cells {
        let median = |spread: &Option<Spread>| {
            spread.as_ref().map_or("n/a".into(), |spread| self::short(spread.median))
        };
        let (prefill, decode) =
            (median(&cell.prefill_tokens_per_second), median(&cell.decode_tokens_per_second));
        writeln!(out, "  {:<36} {prefill:>13} {decode:>13}", cell.setting)?;
    }
    Ok(writeln!(
        out,
        "Machines differ: compare how many times as fast, not tokens in a second."
    )?)
}

/// A file as a reader would type it here.
fn shown(path: &Path) -> Result<String, Error> {
    let here = std::env::current_dir()?;
    Ok(path.strip_prefix(here).unwrap_or(path).to_string_lossy().into_owned())
}

/// The recording of the chapter's steps with this type of weights, and the type's name.
fn recorded(
    root: &Path,
    short: &str,
    kind: Option<&str>,
) -> Result<(String, Recording), Error> {
    let folder = root.join("book/measurements");
    let mut known = Vec::new();
    for name in ["steps", "steps-4", "steps-k"] {
        let path = folder.join(format!("{short}-{name}.json"));
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let recording: Recording =
            serde_json::from_str(&text).map_err(|error| problem_at(&path, error))?;
        let model = recording.cells.first().and_then(|cell| cell.command.split(".gguf").next());
        let model =
            model.and_then(|command| command.split(' ').next_back()).unwrap_or_default();
        if kind.is_none_or(|kind| kind == model) {
            return Ok((model.to_string(), recording));
        }
        known.push(model.to_string());
    }
    Err(problem(match known.is_empty() {
        true => format!(
            "the book has no table of the steps of {short}: it has those of ch03 to ch06"
        ),
        false => format!("the book measures {short} with {}", known.join(", ")),
    }))
}

/// The tools of the bench that this one runs.
#[derive(clap::Parser)]
enum Tool {
    Synth(synth::Args),
    Sweep(sweep::Args),
}

/// One of them, as it would be typed.
fn tool(words: &[&str]) -> Result<(), Error> {
    let quoted = |word: &&str| match word.contains(' ') {
        true => format!("\"{word}\""),
        false => word.to_string(),
    };
    let typed: Vec<String> = words.iter().map(quoted).collect();
    writeln!(io::stdout(), "$ cargo run --release -- {}", typed.join(" "))?;
    let words = std::iter::once("course").chain(words.iter().copied());
    match Tool::try_parse_from(words)? {
        Tool::Synth(args) => synth::run(&args),
        Tool::Sweep(args) => sweep::run(&args),
    }
}
