//! The common suite on every chapter that is there. `cargo test --test engines ch02` tries one.
//!
//! What a program was asked and passed is remembered under `target/engines`, by a hash of the program, of this suite,
//! of the fixtures and of what the processor can do: none of them has any state, so the same would come out again. The
//! list says of which this is true.
//!
//! `cargo test` asks each program in two of its ways: the first, which computes everything anew, and the last that this
//! machine has the instructions for. `cargo prove` asks it in all ways whether they are alike to the bit. What needs no
//! more than two ways to be seen isn't asked again. Of tokens and logits, of how a run ends, and beside the chapter
//! before, `cargo test` asks in the last way alone: `cargo prove` asks in the first.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use catalog::chapters;
use judge::{Asked, Engine, Suite, Topic, Tried, beside, build};
use libtest_mimic::{Arguments, Trial};
use sha2::{Digest, Sha256};

/// The one model with which `cargo test` asks a chapter on a base whether its ways are alike, and `cargo prove` all of them:
/// it computes with the base's own code. With the others two ways are enough for `cargo prove`, and all are for `cargo prove
/// ch12`, where a filter is given, and for the night.
const ENOUGH: &str = "tiny-qwen3";

/// What `cargo test` asks in the last way alone, `cargo prove` asks in the first as well.
const FIRST: &str = ", in its first way";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = chapters::root();
    let mut all = chapters::all(&root).expect("the chapters can be read");
    // Whoever names a chapter waits for no other, but for the one before.
    let filter = arguments.filter.as_deref().unwrap_or_default();
    if let Some(named) = all.iter().position(|chapter| filter.starts_with(&*chapter.short)) {
        all = all.drain(named.saturating_sub(1)..=named).collect();
    }
    // A list must not take a build.
    let engines = if arguments.list {
        Vec::new()
    } else {
        build::these(&root, &all).expect("the chapters build")
    };
    let suite = Arc::new(Suite::read(&root).expect("the fixtures can be read"));
    let everything_else = judge::fingerprint(&root).expect("the fixtures can be read");
    let mut trials = Vec::new();
    // What a program has passed is looked up by its bytes, which are read once.
    let bytes: Vec<[u8; 32]> = engines.iter().map(bytes_of).collect();
    for (index, chapter) in all.iter().enumerate() {
        let engine = engines.get(index);
        let known = bytes.get(index).map(|own| (everything_else, *own));
        let mut add = |topic: Topic, engine: Option<Engine>, ways: &str| {
            let passed = engine.as_ref().zip(known).map(|(e, known)| passed(&root, e, known));
            let passed = passed.map(|it| it.join(topic.name.replace([' ', ','], "-")));
            let (suite, name) =
                (suite.clone(), format!("{}: {}{ways}", chapter.short, topic.name));
            let trial = trial(name, passed, move || {
                topic.try_on(&suite, &engine.expect("it is built"))
            });
            trials.push(trial.with_ignored_flag(!ways.is_empty()));
        };
        let is_below = |topic: &Topic| {
            let more = topic.is_long && !topic.name.ends_with(ENOUGH);
            more && chapter.about.base.is_some() && filter.is_empty()
        };
        let two = engine.map(Engine::in_two_ways);
        for topic in Suite::topics(chapter.about.serves) {
            let engine = match topic.asked {
                Asked::InOneWay => two.clone().map(Engine::in_its_last_way),
                _ => two.clone(),
            };
            let ways = if is_below(&topic) { ", in two ways" } else { "" };
            add(topic, engine, ways);
        }
        // For a list they count as more than two.
        let count = engine.map_or(3, |engine| engine.ways_here().count());
        for topic in Suite::topics(chapter.about.serves) {
            match topic.asked {
                Asked::InOneWay if count > 1 => {
                    add(topic, engine.map(Engine::in_its_first_way), FIRST);
                }
                Asked::InAllWays if count > 2 && !is_below(&topic) => {
                    add(topic, engine.cloned(), ", in all ways");
                }
                _ => {}
            }
        }
        let flags = chapter.about.as_before.clone();
        if let Some(before) = index.checked_sub(1).filter(|_| !flags.is_empty()) {
            let both = known.zip(bytes.get(before));
            let before = engines.get(before);
            for ways in ["", FIRST] {
                let mine = match ways {
                    FIRST => engine.map(Engine::in_its_first_way),
                    _ => two.clone().map(Engine::in_its_last_way),
                };
                let before = before.cloned();
                let passed = mine.as_ref().zip(both).map(|(e, both)| passed(&root, e, both));
                let (flags, suite) = (flags.clone(), suite.clone());
                let name = format!(
                    "{}: the bits of the chapter before, with {flags:?}{ways}",
                    chapter.short
                );
                let trial = trial(name, passed.map(|it| it.join("as-before")), move || {
                    let (mine, before) =
                        (mine.expect("it is built"), before.expect("it is built"));
                    beside::as_before(&mine, &before, &flags, &suite)
                });
                trials.push(trial.with_ignored_flag(ways == FIRST));
            }
        }
        // Named here because it is left out, and run elsewhere: so it never counts as passed.
        let command = format!("cargo test -p {}", chapter.name);
        let name = format!("{}: taken-apart, by {command}", chapter.short);
        let apart = Trial::test(name, move || {
            Err(format!("these are tests of another package: {command}").into())
        });
        trials.push(apart.with_ignored_flag(true));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Tried unless it was passed before, which `passed` notes.
fn trial(
    name: String,
    passed: Option<PathBuf>,
    try_it: impl FnOnce() -> Tried + Send + 'static,
) -> Trial {
    let before = passed.as_ref().is_some_and(|passed| passed.is_file());
    let kind = if before { "passed before" } else { "" };
    let all_of_it = move || {
        if before {
            return Ok(());
        }
        try_it().map_err(|mistake| format!("\n{mistake}"))?;
        let passed = passed.expect("it is built");
        fs::create_dir_all(passed.parent().expect("a file has a folder"))?;
        Ok(fs::write(passed, "")?)
    };
    Trial::test(name, all_of_it).with_kind(kind)
}

/// By what is compiled with optimisation: all programs together are half a gigabyte.
fn bytes_of(engine: &Engine) -> [u8; 32] {
    Sha256::digest(fs::read(&engine.program).expect("it was built")).into()
}

/// The folder in which is noted what this program has passed.
fn passed(root: &Path, engine: &Engine, known: impl Hash) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    known.hash(&mut hasher);
    format!("{:?}", engine.ways).hash(&mut hasher);
    root.join("target/engines").join(format!("{}-{:016x}", engine.name, hasher.finish()))
}
