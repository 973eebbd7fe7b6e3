//! The common suite on every chapter that is there. `cargo test -p course-tests --test engines ch02` tries one.
//!
//! What a program was asked and passed is remembered under `target/engines`, by a hash of the program, of this suite,
//! of the fixtures and of what the processor can do: none of them has any state, so the same would come out again.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use course::chapters;
use course::suite::{self, Engine, Suite, build};
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
        let engine = engines.get(index).map(|engine| Arc::new(engine.clone()));
        let passed = engine.as_ref().map(|engine| passed(&root, engine, everything_else));
        for topic in Suite::topics() {
            let name = format!("{}: {}", chapter.short, topic.name);
            let (suite, engine, passed) = (suite.clone(), engine.clone(), passed.clone());
            trials.push(Trial::test(name, move || {
                let (engine, passed) =
                    (engine.expect("it is built"), passed.expect("it is built"));
                let passed = passed.join(topic.name.replace([' ', ','], "-"));
                if passed.is_file() {
                    return Ok(());
                }
                topic.try_on(&suite, &engine).map_err(|mistake| format!("\n{mistake}"))?;
                fs::create_dir_all(passed.parent().expect("a file has a folder"))?;
                Ok(fs::write(passed, "")?)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The folder in which the topics are noted that this program has passed.
fn passed(root: &Path, engine: &Engine, everything_else: u64) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    everything_else.hash(&mut hasher);
    fs::read(&engine.program).expect("it was built").hash(&mut hasher);
    format!("{:?}", engine.ways).hash(&mut hasher);
    root.join("target/engines").join(format!("{}-{:016x}", engine.name, hasher.finish()))
}
