//! `verify`: what must be true of a model of real size, and a block of text that says how it went, to be posted.
//!
//! The tests are `tests/real_checkpoint.rs`, which names what is compared. Here they are run and told.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use catalog::chapters::{cargo, root};
use catalog::error::problem;
use ground::cli::find_model;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::Machine;
use serde_json::Value;

/// What to verify.
#[derive(clap::Args)]
pub struct Args {
    /// A Qwen3 model in GGUF format, or the name of one in models/
    model: PathBuf,
}

/// Runs the tests, shows what they say, and prints the block. Fails where one of them does.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = root();
    let folders = [PathBuf::from("models"), root.join("models")];
    let found = find_model(&args.model, &folders).and_then(|path| path.canonicalize().ok());
    let path = found.ok_or_else(|| Error::NoModel(args.model.clone()))?;
    // What is no model is answered before anything is compiled.
    Gguf::open(&path).map_err(|source| Error::Model { path: path.clone(), source })?;

    println!(
        "compiling every chapter and asking each of them: some minutes, and 3 GB of memory"
    );
    let mut tests = cargo(&root);
    tests.args(["test", "--locked"]);
    if !cfg!(debug_assertions) {
        tests.arg("--release");
    }
    tests.args([
        "--test",
        "real_checkpoint",
        "--",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    tests.env("QWEN3_GGUF", &path).stdout(Stdio::piped());
    let mut running = tests.spawn()?;
    let mut said = Vec::new();
    for line in BufReader::new(running.stdout.take().expect("it is piped")).lines() {
        let line = line?;
        println!("{line}");
        said.push(line);
    }
    let passed = running.wait()?.success();
    println!("\n{}", block(&root, &path, &said)?);
    if passed {
        Ok(())
    } else {
        Err(problem("not all of it is true, as the lines above say".into()))
    }
}

/// The block, in Markdown.
fn block(root: &Path, path: &Path, said: &[String]) -> Result<String, Error> {
    let machine = Machine::describe();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let sum =
        said.iter().find_map(|line| line.strip_prefix("sha256 ")).unwrap_or("not computed");
    let mut block = format!(
        "```text\nmachine   {}, {} processors, {} {}, {}\nversions  {}; {}; One Diff at a Time {}\nfile      {name}, {} bytes\nsha256    {sum}\n",
        machine.cpu,
        machine.cores,
        machine.os,
        machine.arch,
        machine.features.join(" "),
        first_line(Command::new("rustc").arg("--version")),
        first_line(Command::new("git").current_dir(root).args([
            "log",
            "-1",
            "--format=commit %h of %cs"
        ])),
        env!("CARGO_PKG_VERSION"),
        fs::metadata(path)?.len(),
    );
    // The tests noted what each chapter answered.
    let notes = fs::read(root.join("my/real-checkpoint.json")).unwrap_or_default();
    let notes: Value = serde_json::from_slice(&notes).unwrap_or_default();
    for (chapter, answer) in notes[sum].as_object().into_iter().flatten() {
        block.push_str(&format!("tokens    {chapter}: {}\n", answer["generated_ids"]));
    }
    for (test, verdict) in verdicts(said) {
        block.push_str(&format!("{verdict:<9} {test}\n"));
    }
    Ok(block + "```")
}

/// Each test with its verdict, which stands where the test began or, if it printed anything, below that.
fn verdicts(said: &[String]) -> Vec<(String, &'static str)> {
    let mut verdicts: Vec<(String, &'static str)> = Vec::new();
    for line in said {
        let begun = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
        if let Some((name, _)) = begun {
            let name = name.trim_start_matches("with_qwen3_gguf_").replace('_', " ");
            verdicts.push((name, "unknown"));
        }
        let rest = begun.map_or(line.as_str(), |(_, rest)| rest);
        let verdict =
            [("ok", "true"), ("FAILED", "FALSE")].into_iter().find(|(word, _)| *word == rest);
        if let (Some((_, verdict)), Some(last)) = (verdict, verdicts.last_mut()) {
            last.1 = verdict;
        }
    }
    verdicts
}

fn first_line(command: &mut Command) -> String {
    let output = command.stderr(Stdio::null()).output().map(|output| output.stdout);
    let text = String::from_utf8_lossy(&output.unwrap_or_default()).into_owned();
    text.lines().next().unwrap_or("unknown version").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_belongs_to_the_test_that_began_last() {
        let said = "\nrunning 3 tests\ntest with_qwen3_gguf_a_b ... ch00: the same bits\nch01: ok\nok\ntest c ... ok\n\
             test with_qwen3_gguf_d ... \nFAILED\ntest e ... at work\n\ntest result: FAILED. 2 passed";
        let said: Vec<String> = said.lines().map(String::from).collect();
        let found: Vec<String> = verdicts(&said)
            .into_iter()
            .map(|(test, verdict)| format!("{verdict} {test}"))
            .collect();
        assert_eq!(found, ["true a b", "true c", "FALSE d", "unknown e"]);
    }
}
