//! Where the course's parts are, for the tools that help a reader.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ground::error::Error;

/// One chapter: "ch02", and the name of its folder and package.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    pub short: String,
    pub name: String,
}

/// The course's root folder: these tools are run where they were built, by `cargo run`.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All chapters, in order.
pub fn all(root: &Path) -> Result<Vec<Chapter>, Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("chapters"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some((short, _)) = name.split_once('-')
            && short.starts_with("ch")
            && root.join("chapters").join(&name).join("src/main.rs").is_file()
        {
            found.push(Chapter { short: short.to_string(), name });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The chapter that the reader names, and the one before it.
pub fn find(root: &Path, short: &str) -> Result<(Chapter, Option<Chapter>), Error> {
    let all = all(root)?;
    match all.iter().position(|chapter| chapter.short == short) {
        Some(at) => Ok((all[at].clone(), at.checked_sub(1).map(|before| all[before].clone()))),
        None => {
            let shorts: Vec<&str> = all.iter().map(|chapter| chapter.short.as_str()).collect();
            Err(problem(format!(
                "there is no chapter {short:?}: expected one of {}",
                shorts.join(", ")
            )))
        }
    }
}

/// The reader's own folder for a chapter.
pub fn own(root: &Path, short: &str) -> PathBuf {
    root.join("my").join(short)
}

/// What `check` keeps: beside the reader's folders, not in them.
pub fn aside(root: &Path) -> PathBuf {
    root.join("my/.check")
}

/// What the last `check` of a chapter said: green or red.
pub fn verdict(root: &Path, short: &str) -> PathBuf {
    aside(root).join(format!("{short}.txt"))
}

/// Cargo, run in `folder`: the folder's own settings count there.
pub fn cargo(folder: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(folder);
    command
}

pub fn problem(text: String) -> Error {
    Error::Chapter(text)
}
