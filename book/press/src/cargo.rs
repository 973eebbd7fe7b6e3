//! What only cargo can tell: does a checkpoint compile, does a command print what the book shows.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use course::workspace;

use crate::book::Book;
use crate::check::checkpoint_states;
use crate::fault::{Fault, PressError, files_under, read, write};
use crate::generate::{self, Run, Sources};
use crate::house::House;
use crate::story::Story;

/// Compiles the code as it stands at every checkpoint of the book, or of the pages whose path contains `page`.
pub fn checkpoints(house: &House, page: Option<&str>) -> Result<Vec<Fault>, PressError> {
    let book = Book::load(house)?;
    let story = Story::tell(house, &book);
    let bench = Bench::set_up(house)?;
    let mut faults = Vec::new();
    for state in checkpoint_states(&Sources { house, book: &book, story: &story }) {
        let Some(chapter) = house.chapter(&state.chapter) else { continue };
        if page.is_some_and(|page| !state.place.contains(page)) {
            continue;
        }
        if let Err(message) = bench.check(&chapter.package, &state.files)? {
            faults.push(Fault { place: state.place, message });
        }
    }
    Ok(faults)
}

/// A workspace of its own under `target`, so that the dependencies are compiled once for all checkpoints.
pub struct Bench {
    folder: PathBuf,
    /// Of what every state compiles against: the workspace without the tools, the versions, the ground floor.
    ground: u64,
}

impl Bench {
    pub fn set_up(house: &House) -> Result<Bench, PressError> {
        let folder = house.root.join("target/checkpoints");
        let manifest = house.root.join("Cargo.toml");
        let root = house.root.display().to_string().replace('\\', "/");
        let workspace = workspace::beside(&read(&manifest)?, "state", &root)
            .map_err(|reason| PressError::content(&manifest, reason))?;
        let mut hasher = DefaultHasher::new();
        workspace.hash(&mut hasher);
        for file in files_under(&house.root.join("src/ground"))? {
            std::fs::read(house.root.join("src/ground").join(file))
                .unwrap_or_default()
                .hash(&mut hasher);
        }
        if let Ok(lock) = read(&house.root.join("Cargo.lock")) {
            lock.hash(&mut hasher);
            write(&folder.join("Cargo.lock"), &lock)?;
        }
        write(&folder.join("Cargo.toml"), &workspace)?;
        Ok(Bench { folder, ground: hasher.finish() })
    }

    /// What the compiler says of these files as a package, if anything. A state that compiled once is not tried again.
    pub fn check(
        &self,
        package: &str,
        files: &std::collections::BTreeMap<String, String>,
    ) -> Result<Result<(), String>, PressError> {
        let mut hasher = DefaultHasher::new();
        (self.ground, package, files).hash(&mut hasher);
        let passed = self.folder.join(format!("passed/{:016x}", hasher.finish()));
        if passed.is_file() {
            return Ok(Ok(()));
        }
        let state = self.folder.join("state");
        if state.is_dir() {
            std::fs::remove_dir_all(&state)
                .map_err(|source| PressError::File { path: state.clone(), source })?;
        }
        for (path, text) in files {
            write(&state.join(path), text)?;
        }
        let target = self.folder.join("build").display().to_string();
        let output = cargo(
            &self.folder,
            &["check", "-q", "--offline", "-p", package, "--target-dir", &target],
        )?;
        if output.status.success() {
            write(&passed, "")?;
            return Ok(Ok(()));
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let errors =
            said.split("\n\n").filter(|part| part.trim_start().starts_with("error")).take(3);
        let errors: Vec<&str> = errors.collect();
        let errors = if errors.is_empty() { said.clone() } else { errors.join("\n\n") };
        Ok(Err(format!("does not compile here:\n{errors}")))
    }
}

/// Runs the commands of `book/runs.json` and compares what they print with what the book shows.
pub fn runs(house: &House) -> Result<Vec<Fault>, PressError> {
    let mut faults = Vec::new();
    for (name, run) in generate::load_runs(house)? {
        if run.recorded.is_some() {
            continue;
        }
        let shown =
            read(&house.generated().join(format!("runs/{name}.md"))).unwrap_or_default();
        match run_block(house, &run)? {
            Ok(block) if block == shown => {}
            Ok(block) => {
                let same = block.lines().zip(shown.lines()).take_while(|(a, b)| a == b).count();
                let line = block.lines().nth(same).unwrap_or("nothing").to_string();
                let place = format!("book/src/generated/runs/{name}.md");
                faults.push(Fault::at(
                    place,
                    same + 1,
                    format!("the command now prints: {line}"),
                ));
            }
            Err(reason) => {
                faults.push(Fault::in_file(format!("book/runs.json ({name})"), reason))
            }
        }
    }
    Ok(faults)
}

/// Runs the commands and writes down what they print.
pub fn record_runs(house: &House) -> Result<Vec<Fault>, PressError> {
    let mut faults = Vec::new();
    for (name, run) in generate::load_runs(house)? {
        if run.recorded.is_some() {
            continue;
        }
        match run_block(house, &run)? {
            Ok(block) => write(&house.generated().join(format!("runs/{name}.md")), &block)?,
            Err(reason) => {
                faults.push(Fault::in_file(format!("book/runs.json ({name})"), reason))
            }
        }
    }
    Ok(faults)
}

fn run_block(house: &House, run: &Run) -> Result<Result<String, String>, PressError> {
    let words = words(&run.command);
    let [first, second, rest @ ..] = words.as_slice() else {
        return Ok(Err("the command is too short".into()));
    };
    if (first.as_str(), second.as_str()) != ("cargo", "run") {
        return Ok(Err("the command does not begin with `cargo run`".into()));
    }
    let mut arguments = vec!["run", "-q", "--offline"];
    arguments.extend(rest.iter().map(String::as_str));
    let output = cargo(&house.root, &arguments)?;
    if output.status.code() != Some(run.status) {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Ok(Err(format!("{} instead of status {}: {said}", output.status, run.status)));
    }
    let shown = if run.errors { &output.stderr } else { &output.stdout };
    Ok(Ok(generate::block(run, &String::from_utf8_lossy(shown))))
}

pub fn cargo(folder: &Path, arguments: &[&str]) -> Result<Output, PressError> {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("CARGO_TERM_COLOR", "never");
    // Set by the cargo that runs the tests, and meant for no other.
    for name in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PKG_NAME",
        "CARGO_TARGET_TMPDIR",
        "RUST_LOG",
    ] {
        command.env_remove(name);
    }
    let failed = |e: std::io::Error| PressError::Command {
        command: format!("cargo {}", arguments.join(" ")),
        reason: e.to_string(),
    };
    command.output().map_err(failed)
}

/// A command line cut at its spaces, except inside quotes.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words("cargo run -- \"Once upon\" '' a"),
            ["cargo", "run", "--", "Once upon", "", "a"]
        );
    }
}
