//! The common suite on every chapter that is there. `cargo test -p course-tests --test engines ch02` tries one.
//!
//! What a program was asked and passed is remembered under `target/engines`, by a hash of the program, of this suite,
//! of the fixtures and of what the processor can do: none of them has any state, so the same would come out again. The
//! list says of which this is true.
//!
//! `cargo test` asks each program in two of its ways: the first, which computes everything anew, and the last that this
//! machine has the instructions for. All ways are for `cargo prove`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use course::chapters;
use course::suite::{self, Engine, Suite, Topic, build};
use libtest_mimic::{Arguments, Trial};

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
    let everything_else = suite::fingerprint(&root).expect("the fixtures can be read");
    let mut trials = Vec::new();
    for (index, chapter) in all.iter().enumerate() {
        let engine = engines.get(index);
        let two = engine.map(Engine::in_two_ways);
        for topic in Suite::topics() {
            let name = format!("{}: {}", chapter.short, topic.name);
            trials.push(trial(&root, &suite, two.as_ref(), topic, name, everything_else));
        }
        // For a list they count as more than two.
        if engine.is_none_or(|engine| engine.ways_here().count() > 2) {
            for topic in Suite::topics() {
                let name = format!("{}: {}, in all ways", chapter.short, topic.name);
                let all = trial(&root, &suite, engine, topic, name, everything_else);
                trials.push(all.with_ignored_flag(true));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One topic, tried on one engine unless it was passed before.
fn trial(
    root: &Path,
    suite: &Arc<Suite>,
    engine: Option<&Engine>,
    topic: Topic,
    name: String,
    everything_else: u64,
) -> Trial {
    let (suite, engine) = (suite.clone(), engine.cloned());
    let passed = engine.as_ref().map(|engine| {
        let file = topic.name.replace([' ', ','], "-");
        passed(root, engine, everything_else).join(file)
    });
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

/// The folder in which the topics are noted that this program has passed.
fn passed(root: &Path, engine: &Engine, everything_else: u64) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    everything_else.hash(&mut hasher);
    fs::read(&engine.program).expect("it was built").hash(&mut hasher);
    format!("{:?}", engine.ways).hash(&mut hasher);
    root.join("target/engines").join(format!("{}-{:016x}", engine.name, hasher.finish()))
}
