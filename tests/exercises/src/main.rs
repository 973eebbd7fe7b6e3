//! `cargo run -p course-exercises -- --write` makes the reader's files from the annotated sources;
//! `-- --check` says which of the committed ones differ. A reader who has solved an exercise differs, rightly:
//! so this is a step of `.ci/run` and not of `cargo test`. `-- --links` says which pages of the book do not link
//! back to their exercises.

use std::io;
use std::path::Path;
use std::process::ExitCode;
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
    for (path, text) in
        course_exercises::generated(&root, &exercises)?.into_iter().chain(without)
    {
        let full = root.join(&path);
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let text = if is_rust { course_exercises::formatted(&text, &root)? } else { text };
        if fs::read_to_string(&full).is_ok_and(|committed| committed == text) {
            continue;
        }
        if write {
            put(&full, &text).map_err(|error| course_exercises::problem_at(&path, error))?;
        } else {
            stale.push(course_exercises::one_line(&path.to_string_lossy()));
        }
    }
    Ok(stale)
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
