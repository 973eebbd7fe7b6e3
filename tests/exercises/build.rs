//! Makes one Rust file that holds every starter, solution and wrong answer beside its check, for `tests/answers.rs`.

use std::env;
use std::path::Path;

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("set by Cargo");
    let out = env::var("OUT_DIR").expect("set by Cargo");
    println!("cargo::rerun-if-changed=answers");
    println!("cargo::rerun-if-env-changed=EXERCISES");
    let root = Path::new(&here).join("../..").canonicalize().expect("the course's root");
    // One chapter is compiled sooner: EXERCISES=ch02.
    let only = env::var("EXERCISES").unwrap_or_default();
    exercise_source::read_all(&root)
        .map(|all| all.into_iter().filter(|one| one.chapter.starts_with(&only)).collect())
        .and_then(|exercises: Vec<_>| exercise_source::write_cases(&exercises, Path::new(&out)))
        .unwrap_or_else(|problem| panic!("{problem}"));
}
