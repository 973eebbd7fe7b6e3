//! What only a run can tell: does a command print what the book shows.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use catalog::chapters;

use crate::checkpoints::StepRun;
use crate::fault::{BookError, Fault, files_under, read, write};
use crate::generate::{self, Run};
use crate::repository::Repository;

/// Runs the commands of `book/runs.json` and compares what they print with what the book shows.
///
/// A command that printed it once is not run again before its program, its files or the block changes: what it prints
/// depends on nothing else.
pub fn runs(repository: &Repository) -> Result<Vec<Fault>, BookError> {
    let (mut faults, mut memory) = (Vec::new(), Memory::of(repository)?);
    let (mut before, mut now) = (0, 0);
    for (name, run) in generate::load_runs(repository)? {
        if run.recorded.is_some() {
            continue;
        }
        let shown = read(&generate::recording(repository, &name)).unwrap_or_default();
        let same_before = memory.place(&run, &shown)?;
        if same_before.is_file() {
            before += 1;
            continue;
        }
        now += 1;
        match run_block(repository, &run)? {
            Ok(block) if block == shown => write(&same_before, "")?,
            Ok(block) => {
                let same = block.lines().zip(shown.lines()).take_while(|(a, b)| a == b).count();
                let line = block.lines().nth(same).unwrap_or("nothing").to_string();
                let place = format!("book/runs/{name}.md");
                let message = format!("the command now prints: {line}");
                faults.push(Fault::at(place, same + 1, message));
            }
            Err(reason) => {
                faults.push(Fault::in_file(format!("book/runs.json ({name})"), reason))
            }
        }
    }
    told("console blocks", before, now);
    Ok(faults)
}

/// What is not tried again is said: past a test's own eyes, which would keep it to themselves.
pub fn told(what: &str, before: usize, now: usize) {
    let _ = writeln!(io::stderr(), "{what}: {before} passed before, {now} tried now");
}

/// What decides what a command prints: the bytes of its program, and the recordings that a figure may be drawn from.
/// Each is read once for all commands.
struct Memory<'a> {
    repository: &'a Repository,
    recordings: u64,
    programs: BTreeMap<String, u64>,
}

impl<'a> Memory<'a> {
    fn of(repository: &'a Repository) -> Result<Memory<'a>, BookError> {
        let mut hasher = DefaultHasher::new();
        let measurements = repository.root.join("book/measurements");
        for file in files_under(&measurements)? {
            read(&measurements.join(&file))?.hash(&mut hasher);
        }
        Ok(Memory { repository, recordings: hasher.finish(), programs: BTreeMap::new() })
    }

    /// The file that is there once this command has printed this.
    fn place(&mut self, run: &Run, shown: &str) -> Result<PathBuf, BookError> {
        if let Some(step) = &run.step {
            return StepRun::of(self.repository, step)?.printed(&run.command, shown);
        }
        let words = words(&run.command);
        let after = |flag: &str| {
            words.iter().position(|word| word == flag).and_then(|at| words.get(at + 1))
        };
        let mut target = vec!["-p", after("-p").map_or("course", String::as_str)];
        match after("--example") {
            Some(name) => target.extend(["--example", name]),
            None => target.push("--bins"),
        }
        let mut hasher = DefaultHasher::new();
        (&run.command, shown, self.program(&target)?, self.recordings).hash(&mut hasher);
        Ok(self.repository.root.join(format!("target/runs/{:016x}", hasher.finish())))
    }

    fn program(&mut self, target: &[&str]) -> Result<u64, BookError> {
        let name = target.join(" ");
        if let Some(known) = self.programs.get(&name) {
            return Ok(*known);
        }
        let settings = ["build", "-q", "--offline", "--message-format=json"];
        let build = cargo(&self.repository.root, &[&settings, target].concat())?;
        let mut hasher = DefaultHasher::new();
        for program in chapters::programs(&build.stdout) {
            std::fs::read(program).unwrap_or_default().hash(&mut hasher);
        }
        self.programs.insert(name, hasher.finish());
        Ok(hasher.finish())
    }
}

/// Runs the commands whose names begin so, and writes down what they print.
pub fn record_runs(repository: &Repository, names: &str) -> Result<Vec<Fault>, BookError> {
    let mut faults = Vec::new();
    for (name, run) in generate::load_runs(repository)? {
        if run.recorded.is_some() || !name.starts_with(names) {
            continue;
        }
        match run_block(repository, &run)? {
            Ok(block) => write(&generate::recording(repository, &name), &block)?,
            Err(reason) => {
                faults.push(Fault::in_file(format!("book/runs.json ({name})"), reason))
            }
        }
    }
    Ok(faults)
}

fn run_block(repository: &Repository, run: &Run) -> Result<Result<String, String>, BookError> {
    let words = words(&run.command);
    let [first, second, rest @ ..] = words.as_slice() else {
        return Ok(Err("the command is too short".into()));
    };
    if (first.as_str(), second.as_str()) != ("cargo", "run") {
        return Ok(Err("the command does not begin with `cargo run`".into()));
    }
    let step = run.step.as_ref().map(|step| StepRun::of(repository, step)).transpose()?;
    let mut arguments = vec!["run".to_string(), "-q".into(), "--offline".into()];
    let (folder, _alone) = match &step {
        Some(step) => {
            let (folder, alone) = step.laid_out(&mut arguments)?;
            (folder, Some(alone))
        }
        None => (repository.root.clone(), None),
    };
    arguments.extend_from_slice(rest);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = match &run.input {
        Some(input) if input.contains(['\'', '%', '\\']) => {
            return Ok(Err("the input has ', % or \\, which printf would not print".into()));
        }
        Some(input) => as_on_a_screen(command(&folder, &arguments), input),
        None => command(&folder, &arguments).output(),
    };
    let output = output.map_err(|reason| failed(&arguments, reason))?;
    if output.status.code() != Some(run.status) {
        let said = if run.input.is_some() { &output.stdout } else { &output.stderr };
        let said = String::from_utf8_lossy(said).into_owned();
        return Ok(Err(format!("{} instead of status {}: {said}", output.status, run.status)));
    }
    let shown = if run.errors { &output.stderr } else { &output.stdout };
    Ok(Ok(generate::block(repository, run, &String::from_utf8_lossy(shown))))
}

/// What comes out of a pipe is in `stdout`, errors too, in the order in which they came.
fn as_on_a_screen(mut command: Command, input: &str) -> io::Result<Output> {
    let (stdin, mut lines) = io::pipe()?;
    lines.write_all(input.as_bytes())?; // few enough that a pipe holds them
    drop(lines);
    let (mut screen, ends) = io::pipe()?;
    let mut child = command.stdin(stdin).stdout(ends.try_clone()?).stderr(ends).spawn()?;
    drop(command); // it holds the ends that write: without them reading comes to an end
    let mut stdout = Vec::new();
    screen.read_to_end(&mut stdout)?;
    Ok(Output { status: child.wait()?, stdout, stderr: Vec::new() })
}

pub fn cargo(folder: &Path, arguments: &[&str]) -> Result<Output, BookError> {
    command(folder, arguments).output().map_err(|reason| failed(arguments, reason))
}

fn failed(arguments: &[&str], reason: io::Error) -> BookError {
    BookError::Command {
        command: format!("cargo {}", arguments.join(" ")),
        reason: reason.to_string(),
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
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
    command
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

    #[cfg(unix)]
    #[test]
    fn a_screen_shows_both_outputs_in_their_order() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "read a; echo $a; read b; echo $b >&2; read c || echo end; exit 3"]);
        let output = as_on_a_screen(shell, "one\ntwo\n").expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "one\ntwo\nend\n");
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words("cargo run -- \"Once upon\" '' a"),
            ["cargo", "run", "--", "Once upon", "", "a"]
        );
    }
}
