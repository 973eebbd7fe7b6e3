//! Makes one Rust file that holds every starter, solution and wrong answer beside its check, for `tests/answers.rs`.

#[path = "src/lib.rs"]
#[allow(dead_code)]
mod lib;

use std::path::Path;
use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("set by Cargo");
    let out = env::var("OUT_DIR").expect("set by Cargo");
    let root = Path::new(&here).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/lib.rs");
    println!("cargo::rerun-if-changed=answers");
    let root = root.canonicalize().expect("the course's root");
    let exercises = lib::read_all(&root).unwrap_or_else(|problem| panic!("{problem}"));
    for exercise in &exercises {
        let starter = Path::new(&out).join(format!("{}_starter.rs", exercise.id()));
        fs::write(starter, lib::starter(exercise)).expect("OUT_DIR can be written");
    }
    let cases = lib::cases(&exercises, &root, Path::new(&out));
    fs::write(Path::new(&out).join("cases.rs"), cases).expect("OUT_DIR can be written");
}
