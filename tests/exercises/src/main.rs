//! `cargo run -p course-exercises` writes the starters from the annotated sources; `-- --check` says which of the committed
//! ones differ. A reader who has solved an exercise differs, rightly: so that is for `cargo prove` and not for `cargo test`.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use exercise_source::{formatted, problem_at, read_all, starter};

fn main() -> ExitCode {
    let check = env::args().nth(1).is_some_and(|mode| mode == "--check");
    if env::args().len() > 1 + usize::from(check) {
        eprintln!("usage: cargo run -p course-exercises [-- --check]");
        return ExitCode::from(2);
    }
    match run(check) {
        Ok(stale) if stale.is_empty() => ExitCode::SUCCESS,
        Ok(stale) => {
            for file in stale {
                eprintln!("differs from its annotated source: {file}");
            }
            eprintln!("write them anew: cargo run -p course-exercises");
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut stale = Vec::new();
    for exercise in read_all(&root)? {
        let path = root.join(exercise.file());
        let text = formatted(&starter(&exercise), &root)?;
        if fs::read_to_string(&path).is_ok_and(|committed| committed == text) {
            continue;
        }
        if check {
            stale.push(exercise.file());
        } else {
            fs::write(&path, text).map_err(|error| problem_at(&path, error))?;
        }
    }
    Ok(stale)
}
