//! The common suite on every chapter that is there. `cargo test --test engines ch02` tries one.
//!
//! What a program was asked and passed is remembered under `target/engines`, by a hash of the program, of this suite,
//! of the fixtures and of what the processor can do: none of them has any state, so the same would come out again. The
//! list says of which this is true.
//!
//! `cargo test` asks each program in two of its ways: the first, which computes everything anew, and the last that this
//! machine has the instructions for. `cargo prove` asks it in all ways whether they are alike to the bit. What needs no
//! more than two ways to be seen isn't asked again.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use catalog::chapters;
use judge::{Engine, Suite, Topic, beside, build};
use libtest_mimic::{Arguments, Trial};
use sha2::{Digest, Sha256};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = chapters::root();
    let all = chapters::all(&root).expect("the chapters can be read");
    // A list must not take a build.
    let engines = if arguments.list {
        Vec::new()
    } else {
        build::all(&root).expect("the chapters build")
    };
    let suite = Arc::new(Suite::read(&root).expect("the fixtures can be read"));
    let everything_else = judge::fingerprint(&root).expect("the fixtures can be read");
    let mut trials = Vec::new();
    for (index, chapter) in all.iter().enumerate() {
        let engine = engines.get(index);
        // What it has passed is looked up by its bytes, which are read once.
        let known = engine.map(|engine| (everything_else, bytes_of(engine)));
        let mut add = |engine: Option<Engine>, in_all_ways: bool| {
            let passed = engine.as_ref().zip(known).map(|(e, known)| passed(&root, e, known));
            let mut topics = Suite::topics(chapter.about.serves);
            topics.retain(|topic| topic.is_about_ways || !in_all_ways);
            let suffix = if in_all_ways { ", in all ways" } else { "" };
            for topic in topics {
                let name = format!("{}: {}{suffix}", chapter.short, topic.name);
                let trial = trial(name, &suite, engine.clone(), passed.clone(), topic);
                trials.push(trial.with_ignored_flag(in_all_ways));
            }
        };
        add(engine.map(Engine::in_two_ways), false);
        // For a list they count as more than two.
        if engine.is_none_or(|engine| engine.ways_here().count() > 2) {
            add(engine.cloned(), true);
        }
        let flags = chapter.about.as_before.clone();
        if !flags.is_empty() {
            let before = index.checked_sub(1).and_then(|before| engines.get(before).cloned());
            let (mine, suite) = (engine.map(Engine::in_two_ways), suite.clone());
            let name =
                format!("{}: the bits of the chapter before, with {flags:?}", chapter.short);
            trials.push(Trial::test(name, move || {
                let (mine, before) = (mine.expect("it is built"), before.expect("it is built"));
                beside::as_before(&mine, &before, &flags, &suite)
                    .map_err(|mistake| format!("\n{mistake}").into())
            }));
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

/// One topic, tried on one engine unless it was passed before.
fn trial(
    name: String,
    suite: &Arc<Suite>,
    engine: Option<Engine>,
    passed: Option<PathBuf>,
    topic: Topic,
) -> Trial {
    let suite = suite.clone();
    let passed = passed.map(|folder| folder.join(topic.name.replace([' ', ','], "-")));
    let before = passed.as_ref().is_some_and(|passed| passed.is_file());
    let kind = if before { "passed before" } else { "" };
    let all_of_it = move || {
        let (engine, passed) = (engine.expect("it is built"), passed.expect("it is built"));
        if before {
            return Ok(());
        }
        topic.try_on(&suite, &engine).map_err(|mistake| format!("\n{mistake}"))?;
        fs::create_dir_all(passed.parent().expect("a file has a folder"))?;
        Ok(fs::write(passed, "")?)
    };
    Trial::test(name, all_of_it).with_kind(kind)
}

/// By what is compiled with optimisation: all programs together are half a gigabyte.
fn bytes_of(engine: &Engine) -> [u8; 32] {
    Sha256::digest(fs::read(&engine.program).expect("it was built")).into()
}

/// The folder in which the topics are noted that this program has passed.
fn passed(root: &Path, engine: &Engine, known: (u64, [u8; 32])) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    known.hash(&mut hasher);
    format!("{:?}", engine.ways).hash(&mut hasher);
    root.join("target/engines").join(format!("{}-{:016x}", engine.name, hasher.finish()))
}
