//! `check ch02`: builds the reader's chapter, runs pinned prompts through it and names the first step, and where it
//! can the layer, that differs from what the judge and the course's own chapter say.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ground::error::Error;
use serde::Deserialize;
use serde_json::Value;

use crate::metrics;
use crate::probe;
use course::chapters::{self, Chapter, problem};

/// Which chapter to check.
#[derive(clap::Args)]
pub struct Args {
    /// The chapter, as ch02; yours is in my/ch02
    chapter: String,
}

/// The models that the judge knows.
const MODELS: [&str; 3] = ["tiny-qwen3", "untied-one-kv", "three-to-one-odd-vocab"];
/// Steps per prompt: enough for every mistake that the course's tests plant.
const STEPS: usize = 16;
const LONGEST_PROMPT: usize = 64;
/// Of the largest logit, as in the course's own tests.
const TOLERANCE: f32 = 1e-4;

/// The judge's word on one model; tests/oracle made it.
#[derive(Deserialize)]
pub struct Judgement {
    pub model_file: String,
    pub cases: Vec<Case>,
    pub hidden: probe::Hidden,
}

/// One prompt and what follows it greedily, not stopped by an end token.
#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub prompt_ids: Vec<u32>,
    pub generated_ids: Vec<u32>,
    pub top: Vec<Vec<(u32, f32)>>,
}

/// What a chapter prints with --json.
#[derive(Deserialize)]
struct Output {
    generated_ids: Vec<u32>,
    top_logits: Vec<Vec<(u32, f32)>>,
    /// From chapter 1 on.
    metrics: Option<Value>,
}

/// Builds, runs, compares, and remembers the result for `progress`.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let (chapter, _) = chapters::find(&root, &args.chapter)?;
    let short = &chapter.short;
    let own = chapters::own(&root, short);
    if !own.join("Cargo.toml").is_file() {
        return Err(problem(format!(
            "there is no my/{short} yet: `cargo run -- start {short}`"
        )));
    }
    let checked = check(&root, &chapter, &own);
    let word = if checked.is_ok() { "green" } else { "red" };
    let verdict = chapters::verdict(&root, short);
    fs::create_dir_all(chapters::aside(&root))?;
    fs::write(verdict, word)?;
    checked?;
    println!(
        "my/{short} agrees with the judge and, bit for bit, with chapters/{}.",
        chapter.name
    );
    Ok(())
}

fn check(root: &Path, chapter: &Chapter, own: &Path) -> Result<(), Error> {
    let short = &chapter.short;
    let Some(program) = build(root, own, "yours")? else {
        return Err(problem(format!("my/{short} does not build: the compiler says why above")));
    };
    for flags in variants(short) {
        println!(
            "prompts {}",
            if flags.is_empty() { "as they are".into() } else { flags.join(" ") }
        );
        for model in MODELS {
            let judgement = judgement(root, model)?;
            for case in
                judgement.cases.iter().filter(|case| case.prompt_ids.len() <= LONGEST_PROMPT)
            {
                let file = root.join(&judgement.model_file);
                let found = ask(&program, &file, case, flags)?;
                let place = format!("model {model}, prompt {:?}, flags {flags:?}", case.name);
                if let Some(difference) = against_judge(case, &found) {
                    let layers = match suspect(flags) {
                        None => probe::first_layer(root, chapter, own, model, &judgement)?,
                        Some(what) => {
                            format!("  without these flags all is right: look at {what}")
                        }
                    };
                    return Err(problem(format!("{place}\n{difference}\n{layers}")));
                }
            }
        }
    }
    same_bits(root, chapter, &program)
}

/// Builds the package in `folder` and puts its program aside: both chapters are named alike, and the next build of the other one would
/// overwrite it. `None`: it does not build.
fn build(root: &Path, folder: &Path, name: &str) -> Result<Option<PathBuf>, Error> {
    if !folder.join("src/main.rs").is_file() {
        return Err(problem(format!(
            "{} has no src/main.rs yet, so there is nothing to run: `cargo check` there tells whether it compiles",
            folder.strip_prefix(root).unwrap_or(folder).display()
        )));
    }
    let output = chapters::cargo(folder)
        .args(["build", "--quiet", "--message-format=json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    let Some(executable) = executable.filter(|_| output.status.success()) else {
        return Ok(None);
    };
    let aside = chapters::aside(root);
    fs::create_dir_all(&aside)?;
    let program = aside.join(name);
    fs::copy(executable, &program)?;
    Ok(Some(program))
}

/// The ways through a chapter that must all come to the same.
fn variants(short: &str) -> &'static [&'static [&'static str]] {
    const ALL: &[&[&str]] = &[
        &[],
        &["--kv=basic"],
        &["--kv=contiguous"],
        &["--kv=contiguous", "--prefill-chunk=3"],
        // The other backends are the same text for other instructions; plain Rust is one by itself.
        &["--backend=scalar"],
    ];
    match short {
        "ch00" | "ch01" => &ALL[..1],
        "ch02" => &ALL[..4],
        _ => ALL,
    }
}

/// What a way through a chapter adds to the plain one.
fn suspect(flags: &[&str]) -> Option<&'static str> {
    Some(match *flags.first()? {
        "--kv=basic" => "positions, and at what src/cache/basic.rs keeps",
        "--kv=contiguous" => "positions, and at what src/cache/contiguous.rs keeps",
        _ => "src/simd/scalar.rs",
    })
}

pub fn judgement(root: &Path, model: &str) -> Result<Judgement, Error> {
    let path = root.join("tests/fixtures/judge").join(model).with_extension("json");
    let text = fs::read_to_string(&path)?;
    serde_json::from_str(&text).map_err(|error| problem(format!("{}: {error}", path.display())))
}

/// Runs one prompt.
fn ask(program: &Path, file: &Path, case: &Case, flags: &[&str]) -> Result<Output, Error> {
    let steps = case.generated_ids.len().min(STEPS);
    let ids: Vec<String> = case.prompt_ids.iter().map(u32::to_string).collect();
    let mut command = Command::new(program);
    command.args(["--json", "--ignore-eos", "--top-logits=5"]);
    command
        .arg(format!("--max-new-tokens={steps}"))
        .arg(format!("--token-ids={}", ids.join(",")));
    command.arg("--model").arg(file).args(flags).stderr(Stdio::piped());
    let output = command.stdin(Stdio::null()).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let line = errors.lines().find_map(|line| line.strip_prefix("error: "));
    let line = line.unwrap_or(errors.trim());
    match output.status.code() {
        Some(0) => serde_json::from_slice(&output.stdout)
            .map_err(|error| problem(format!("--json printed something else: {error}"))),
        Some(2) => Err(problem(format!("your program does not know these flags yet: {line}"))),
        _ => {
            let look =
                suspect(flags).map_or(String::new(), |what| format!("\n  look at {what}"));
            Err(problem(format!(
                "your program failed on prompt {:?}, flags {flags:?}: {line}{look}",
                case.name
            )))
        }
    }
}

/// The first step whose token, or one of whose best logits, is not the judge's.
fn against_judge(case: &Case, found: &Output) -> Option<String> {
    for (step, (&expected, top)) in
        case.generated_ids.iter().zip(&case.top).take(STEPS).enumerate()
    {
        let place = format!("  first difference: {}", step_words(step));
        let Some(&id) = found.generated_ids.get(step) else {
            return Some(format!(
                "{place}\n  expected: token {expected}\n  found:    no token"
            ));
        };
        let logits: BTreeMap<u32, f32> = found.top_logits.get(step)?.iter().copied().collect();
        let largest = top.iter().fold(0.0f32, |largest, (_, logit)| largest.max(logit.abs()));
        let off = top.iter().find_map(|&(id, wanted)| {
            let logit = *logits.get(&id)?;
            // Written so that NaN is off too.
            let near = (logit - wanted).abs() <= TOLERANCE * largest;
            (!near).then_some((id, wanted, logit))
        });
        if let Some((id, wanted, logit)) = off {
            return Some(format!(
                "{place}\n  expected: logit {wanted} for token {id}\n  found:    {logit}"
            ));
        }
        if id != expected {
            return Some(format!(
                "{place}\n  expected: token {expected}\n  found:    token {id}"
            ));
        }
    }
    None
}

fn step_words(step: usize) -> String {
    match step {
        0 => "step 0, the pass over the prompt".into(),
        1 => "step 1, the first pass after the prompt".into(),
        _ => format!("step {step}; all before it are right"),
    }
}

/// One prompt in every way, compared with the course's own chapter to the last bit.
fn same_bits(root: &Path, chapter: &Chapter, mine: &Path) -> Result<(), Error> {
    let model = MODELS[0];
    let judgement = judgement(root, model)?;
    let folder = root.join("chapters").join(&chapter.name);
    let Some(theirs) = build(root, &folder, "the-course's")? else {
        return Err(problem(format!("chapters/{} does not build", chapter.name)));
    };
    let file = root.join(&judgement.model_file);
    let longest = judgement.cases.iter().filter(|case| case.prompt_ids.len() <= LONGEST_PROMPT);
    let Some(case) = longest.max_by_key(|case| case.prompt_ids.len()) else { return Ok(()) };
    println!("bits of prompt {:?}, beside chapters/{}", case.name, chapter.name);
    for flags in variants(&chapter.short) {
        let (found, wanted) =
            (ask(mine, &file, case, flags)?, ask(&theirs, &file, case, flags)?);
        let bits = |step: &Vec<(u32, f32)>| -> Vec<(u32, u32)> {
            step.iter().map(|(id, logit)| (*id, logit.to_bits())).collect()
        };
        let steps = found.top_logits.iter().zip(&wanted.top_logits);
        if let Some(step) = steps.map(|(a, b)| bits(a) == bits(b)).position(|same| !same) {
            return Err(problem(format!(
                "prompt {:?}, flags {flags:?}: {}\n  the tokens are right, the last bits are not: some sum is added in another order than the chapter's",
                case.name,
                step_words(step)
            )));
        }
        if let Some(difference) =
            metrics::difference(found.metrics.as_ref(), wanted.metrics.as_ref())
        {
            return Err(problem(format!(
                "prompt {:?}, flags {flags:?}: the text is right, what is said about it is not\n{difference}",
                case.name
            )));
        }
    }
    Ok(())
}
