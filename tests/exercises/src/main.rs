//! `cargo run -p course-exercises -- --write` makes the reader's files from the annotated sources;
//! `-- --check` says which of the committed ones differ. A reader who has solved an exercise differs, rightly:
//! so this is a step of `.ci/run` and not of `cargo test`. `-- --links` says which pages of the book do not link
//! back to their exercises.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

fn main() -> ExitCode {
    let mode = env::args().nth(1);
    let write = match mode.as_deref() {
        Some("--write") => true,
        Some("--check") => false,
        Some("--links") => return links(),
        _ => {
            eprintln!("usage: cargo run -p course-exercises -- --write | --check | --links");
            return ExitCode::from(2);
        }
    };
    match run(write) {
        Ok(stale) if stale.is_empty() => ExitCode::SUCCESS,
        Ok(stale) => {
            for path in stale {
                eprintln!("differs from its annotated source: {path}");
            }
            eprintln!("write them anew: cargo run -p course-exercises -- --write");
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn links() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let missing = match course_exercises::read_all(&root) {
        Ok(exercises) => course_exercises::missing_links(&exercises, &root.join("book/src")),
        Err(problem) => vec![problem],
    };
    for line in &missing {
        eprintln!("{line}");
    }
    if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(write: bool) -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let exercises = course_exercises::read_all(&root)?;
    let mut stale = Vec::new();
    let without = course_exercises::generated_without(&root, &exercises)?;
    for (path, text) in course_exercises::generated(&exercises).into_iter().chain(without) {
        let full = root.join(&path);
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let text = if is_rust { formatted(&text, &root)? } else { text };
        if fs::read_to_string(&full).is_ok_and(|committed| committed == text) {
            continue;
        }
        if write {
            put(&full, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        } else {
            stale.push(path.display().to_string());
        }
    }
    Ok(stale)
}

/// As `cargo fmt` would leave it.
fn formatted(text: &str, root: &Path) -> Result<String, String> {
    let broken = |error: io::Error| format!("rustfmt: {error}");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(broken)?;
    let mut input = rustfmt.stdin.take().ok_or("rustfmt: no standard input")?;
    input.write_all(text.as_bytes()).map_err(broken)?;
    drop(input);
    let output = rustfmt.wait_with_output().map_err(broken)?;
    String::from_utf8(output.stdout).map_err(|error| format!("rustfmt: {error}"))
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
