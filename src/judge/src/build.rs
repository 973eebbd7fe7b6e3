//! The programs of all chapters, built.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use ground::error::Error;

use crate::engine::Engine;
use catalog::chapters::{self, Chapter};
use catalog::error::problem;

/// Every chapter's engine, in order.
pub fn all(root: &Path) -> Result<Vec<Engine>, Error> {
    these(root, &chapters::all(root)?)
}

/// The engines of these chapters, in order. One build for all: so Cargo looks at the workspace once.
pub fn these(root: &Path, chapters: &[Chapter]) -> Result<Vec<Engine>, Error> {
    let mut command = chapters::cargo(root);
    command.args(["build", "--quiet", "--message-format=json-render-diagnostics", "--bins"]);
    // As this program was built itself.
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    for chapter in chapters {
        command.args(["-p", &chapter.name]);
    }
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(problem("a chapter does not build: the compiler says why above".into()));
    }
    let programs = chapters::programs(&output.stdout);
    let engine = |chapter: &Chapter| {
        let is_its =
            |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == &*chapter.name);
        let program = programs.iter().find(is_its);
        let program = program.ok_or(problem(format!("{} has no program", chapter.name)))?;
        Ok(Engine::of(chapter, chapter.name.clone(), program.clone()))
    };
    chapters.iter().map(engine).collect()
}
