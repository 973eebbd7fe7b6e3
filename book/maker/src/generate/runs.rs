//! Console blocks: `book/runs.json` lists commands whose output is the same every time, and recorded ones.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::Files;
use crate::fault::{BookError, Fault, read};
use crate::measured;
use crate::recorded::Recorded;
use crate::repository::Repository;
use crate::sources::Sources;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// As a reader types it, from the repository's root: `cargo run -p ch00-naive-forward -- "Once upon a time"`.
    pub command: String,
    /// The step, such as `ch00-loop`, or the chapter, such as `ch11`, in whose program a reader types it: `cargo run`.
    #[serde(default)]
    pub step: Option<String>,
    /// Lines for its standard input, shown as the `printf` of a pipe. Both outputs are shown, as on a screen.
    #[serde(default)]
    pub input: Option<String>,
    /// Exit status, when it is not 0.
    #[serde(default)]
    pub status: i32,
    /// Show standard error instead of standard output.
    #[serde(default)]
    pub errors: bool,
    /// Begin with this line, and leave out what is before it.
    #[serde(default)]
    pub from: Option<String>,
    /// Keep only so many lines.
    #[serde(default)]
    pub lines: Option<usize>,
    /// Break long lines where they reach the edge: for prose, not for tables.
    #[serde(default)]
    pub wrap: bool,
    /// The output is an SVG, and this stands below it: a figure is drawn anew like any other output.
    #[serde(default)]
    pub figure: Option<String>,
    /// `file.json#/pointer` in `book/measurements`: the output was recorded there, because it holds times.
    #[serde(default)]
    pub recorded: Option<String>,
}

pub fn load(repository: &Repository) -> Result<BTreeMap<String, Run>, BookError> {
    let path = repository.root.join("book/runs.json");
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    serde_json::from_str(&read(&path)?).map_err(|e| BookError::content(&path, e))
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let mut faults = Vec::new();
    for (name, run) in load(sources.repository)? {
        let path = format!("runs/{name}.md");
        let place = format!("book/runs.json ({name})");
        if let Some(recorded) = &run.recorded {
            match measured::text(&sources.repository.root, recorded) {
                Ok(output) => {
                    files.insert(path, block(sources.repository, &run, &output));
                }
                Err(reason) => faults.push(Fault::in_file(place, reason)),
            }
            continue;
        }
        let kept = read(&recording(sources.repository, &name))
            .ok()
            .filter(|text| text.starts_with(&opening(&run)));
        match kept {
            // Of a figure the drawing is kept, and its caption tells anew what the recording says.
            Some(text) => {
                let drawing = text[opening(&run).len()..].split("<figcaption>").next();
                let text = match (&run.figure, drawing) {
                    (Some(_), Some(drawing)) => block(sources.repository, &run, drawing),
                    _ => text,
                };
                files.insert(path, text);
            }
            None => {
                faults.push(Fault::in_file(place, "not run yet: `cargo book generate --runs`"))
            }
        }
    }
    Ok(faults)
}

/// What this command printed when it was last run: its block, as the page shows it.
pub fn recording(repository: &Repository, name: &str) -> PathBuf {
    repository.root.join(format!("book/runs/{name}.md"))
}

fn opening(run: &Run) -> String {
    if run.figure.is_some() {
        return format!("<figure>\n<!-- {} -->\n", run.command);
    }
    let wrap = if run.wrap { ",wrap" } else { "" };
    let lines = run.input.as_ref().map(|input| input.replace('\n', "\\n"));
    let pipe = lines.map_or(String::new(), |lines| format!("printf '{lines}' | "));
    format!("```console{wrap}\n$ {pipe}{}\n", run.command)
}

/// The console block for this output, or the figure that it is.
pub fn block(repository: &Repository, run: &Run, output: &str) -> String {
    if let Some(caption) = &run.figure {
        let words = run.command.split(' ');
        let drawn = words.filter_map(|word| word.strip_prefix("book/measurements/"));
        let line = Recorded::files(repository, drawn).ok().and_then(|recorded| recorded.line());
        let line = line.map_or(String::new(), |line| format!(" {line}"));
        return format!(
            "{}{output}<figcaption>{caption}{line}</figcaption>\n</figure>\n",
            opening(run)
        );
    }
    let mut lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    let mut text = opening(run);
    if let Some(from) = &run.from {
        let before = lines.iter().position(|line| line == from);
        lines.drain(..before.unwrap_or(lines.len()));
        text.push_str("...\n");
    }
    let total = lines.len();
    let kept = run.lines.unwrap_or(total);
    for line in lines.into_iter().take(kept) {
        text.push_str(line);
        text.push('\n');
    }
    if kept < total {
        text.push_str("...\n");
    }
    text.push_str("```\n");
    text
}
