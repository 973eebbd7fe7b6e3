//! Makes one Rust file that holds every starter, solution and wrong answer beside its check, for `tests/answers.rs`.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use exercise_source::{Exercise, read_all, starter_alone};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("set by Cargo");
    let out = env::var("OUT_DIR").expect("set by Cargo");
    println!("cargo::rerun-if-changed=answers");
    println!("cargo::rerun-if-env-changed=EXERCISES");
    let root = Path::new(&here).join("../..").canonicalize().expect("the course's root");
    let mut exercises = read_all(&root).unwrap_or_else(|problem| panic!("{problem}"));
    // One chapter is compiled sooner: EXERCISES=ch02.
    let only = env::var("EXERCISES").unwrap_or_default();
    exercises.retain(|exercise| exercise.chapter.starts_with(&only));
    assert!(!exercises.is_empty(), "EXERCISES={only}: there are none");
    let mut cases =
        Cases { folder: Path::new(&out), modules: String::new(), table: String::new() };
    for exercise in &exercises {
        cases.add(exercise);
    }
    let Cases { modules, table, .. } = &cases;
    cases.write("cases.rs", &format!("{modules}pub static CASES: &[Case] = &[\n{table}];\n"));
}

struct Cases<'a> {
    folder: &'a Path,
    modules: String,
    table: String,
}

impl Cases<'_> {
    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).expect("OUT_DIR can be written");
    }

    fn add(&mut self, exercise: &Exercise) {
        let id = exercise.id();
        // The check is in the same file. It names the types of all functions of an answer.
        let allow = "#[allow(clippy::type_complexity)]";
        writeln!(self.modules, "{allow} #[path = {:?}] mod {id}_solution;", exercise.source)
            .ok();
        self.case(exercise, "solution", "Kind::Solution");
        self.other(exercise, "starter", "Kind::Starter", &starter_alone(exercise));
        for (number, wrong) in exercise.wrong.iter().enumerate() {
            let kind =
                format!("Kind::Wrong {{ name: {:?}, red: {:?} }}", wrong.name, wrong.red);
            self.other(exercise, &format!("wrong_{number}"), &kind, &wrong.text);
        }
    }

    /// An answer that is no file. It is written as its author would have: its style is no concern of the course.
    fn other(&mut self, exercise: &Exercise, name: &str, kind: &str, text: &str) {
        let module = format!("{}_{name}", exercise.id());
        self.write(&format!("{module}.rs"), text);
        let path = self.folder.join(format!("{module}.rs"));
        let allow = "#[allow(clippy::all, warnings)]";
        writeln!(self.modules, "{allow} #[path = {path:?}] mod {module};").ok();
        self.case(exercise, name, kind);
    }

    fn case(&mut self, exercise: &Exercise, name: &str, kind: &str) {
        let (id, call, chapter) = (exercise.id(), exercise.get("call"), &exercise.chapter);
        let (file, source) = (exercise.file(), &exercise.source);
        writeln!(
            self.table,
            "Case {{ chapter: {chapter:?}, kind: {kind}, \
             exercise: &Exercise {{ file: {file:?}, source: include_str!({source:?}) }}, \
             run: |exercise| {{ use {id}_{name}::*; use {id}_solution::check::check; exercise.run(|| {call}) }} }},"
        )
        .ok();
    }
}
