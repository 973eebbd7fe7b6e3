//! A chapter's program as a process of its own: built, started, and asked for its metrics.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::str::FromStr;
use std::time::Instant;

use ground::error::Error;
use ground::text::one_line;
use serde_json::Value;

use super::metrics::Metrics;

/// A program and its flags: one column of the comparison.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: String,
    /// A package's name, or the way to a program.
    pub package: String,
    pub flags: Vec<String>,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let mut words = text.split_whitespace().map(String::from);
        let is_name = |word: &String| {
            let letters = |word: &str| {
                word.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
            };
            !word.starts_with('-') && (letters(word) || is_path(word))
        };
        let package = words
            .next()
            .filter(is_name)
            .ok_or("begin with a package, such as \"ch02-kv-cache --kv=basic\"")?;
        let flags: Vec<String> = words.collect();
        // Where a program is says nothing about it, and differs from one machine to the next.
        let called = Path::new(&package).file_stem().unwrap_or_default().to_string_lossy();
        let called = called.into_owned();
        let name = [&called].into_iter().chain(&flags).cloned().collect::<Vec<_>>().join(" ");
        let name = one_line(&name, usize::MAX);
        Ok(Setting { name, package, flags })
    }
}

fn is_path(package: &str) -> bool {
    package.contains(std::path::is_separator)
}

/// What one run came to.
pub struct Run {
    pub metrics: Metrics,
    pub generated_ids: Value,
    pub wall_ms: f64,
}

impl Setting {
    /// The release program, beside this one. Cargo is asked even when it is there: an old program
    /// would be measured under the new one's name.
    pub fn program(&self, build: bool) -> Result<PathBuf, Error> {
        if is_path(&self.package) {
            return Ok(PathBuf::from(&self.package));
        }
        let here = std::env::current_exe()?;
        let target = here.parent().and_then(Path::parent).unwrap_or(Path::new(""));
        let file = format!("{}{}", self.package, std::env::consts::EXE_SUFFIX);
        let program = target.join("release").join(file);
        if build {
            let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
            let arguments = ["build", "--release", "--quiet", "-p", &self.package];
            let output = Command::new(cargo).args(arguments).output();
            let output = output.map_err(|error| Error::chapter(format!("cargo: {error}")))?;
            check(&format!("cargo {}", arguments.join(" ")), &output)?;
        }
        if !program.is_file() {
            let name = &self.package;
            return Err(Error::chapter(format!(
                "{name} has no release program here: try `cargo build --release -p {name}`"
            )));
        }
        Ok(program)
    }

    /// The arguments behind the flags, token ids last.
    pub fn arguments(&self, model: Option<&str>, ids: &str, new_tokens: usize) -> Vec<String> {
        let mut arguments = self.flags.clone();
        arguments.extend(["--json", "--bandwidth", "--ignore-eos", "-n"].map(String::from));
        arguments.push(new_tokens.to_string());
        if let Some(model) = model {
            arguments.extend(["--model".into(), model.into()]);
        }
        arguments.extend(["--token-ids".into(), ids.into()]);
        arguments
    }

    /// Starts the program and waits for its report.
    pub fn run(&self, program: &Path, arguments: &[String]) -> Result<Run, Error> {
        let start = Instant::now();
        let mut command = Command::new(program);
        let output = command.args(arguments).stdin(Stdio::null()).output();
        let wall_ms = start.elapsed().as_secs_f64() * 1e3;
        let output =
            output.map_err(|error| Error::chapter(format!("{}: {error}", self.name)))?;
        check(&self.name, &output)?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
            Error::chapter(format!("{} printed no JSON: {error}", self.name))
        })?;
        let metrics = report.get("metrics").ok_or_else(|| {
            let name = &self.name;
            Error::chapter(format!("{name} reports no metrics: chapters measure from 01 on"))
        })?;
        let metrics = serde_json::from_value(metrics.clone()).map_err(|error| {
            Error::chapter(format!("the metrics of {}: {error}", self.name))
        })?;
        Ok(Run { metrics, generated_ids: report["generated_ids"].clone(), wall_ms })
    }
}

/// A program that failed has said why: its first line with "error" in it, or else the last one.
fn check(name: &str, output: &Output) -> Result<(), Error> {
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find(|line| line.starts_with("error")).or(lines().next_back());
    let why = line.map_or(output.status.to_string(), |line| {
        one_line(line.strip_prefix("error: ").unwrap_or(line), 1000)
    });
    Err(Error::chapter(format!("{name} failed: {why}")))
}
