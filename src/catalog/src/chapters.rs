//! Where the course's parts are, and what each chapter says of itself: for the tools, the tests and the book.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ground::error::Error;
use ground::text::path_line;

use crate::children;
use crate::error::{problem, problem_at};
use crate::manifest::{self, About};

/// One chapter, as its own folder describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// `ch02`
    pub short: String,
    /// `ch02-kv-cache`: the folder's name and the package's.
    pub name: String,
    pub folder: PathBuf,
    pub about: About,
}

impl Chapter {
    /// What the book tells of its Cargo.toml: a reader types nothing that only tools and tests read.
    pub fn told_manifest(&self) -> Result<String, Error> {
        let path = self.folder.join("Cargo.toml");
        manifest::told(&fs::read_to_string(&path)?).map_err(|reason| problem_at(&path, reason))
    }
}

/// The course's root folder. `cargo run` says where it is; it isn't always where this was compiled, since Cargo compiles
/// nothing anew in a clone that was moved or copied.
pub fn root() -> PathBuf {
    let now = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let places = [now, Some(env!("CARGO_MANIFEST_DIR").into())];
    let mut above = places.iter().flatten().flat_map(|place| place.ancestors());
    let root = above.find(|folder| folder.join("src/catalog/Cargo.toml").is_file());
    root.expect("this package is in src/catalog").to_path_buf()
}

/// All chapters, in order.
pub fn all(root: &Path) -> Result<Vec<Chapter>, Error> {
    let mut found = Vec::new();
    for name in names(root)? {
        let folder = root.join("chapters").join(&name);
        let short = short_name(&name).unwrap_or(&name).to_string();
        let about = manifest::read(&folder.join("Cargo.toml"))?;
        let chapter = Chapter { short, name, folder, about };
        if chapter.about.base.is_some() {
            base_of(&chapter, &found)?;
        }
        found.push(chapter);
    }
    Ok(found)
}

/// The chapter whose library this one builds on, among those before it.
pub fn base_of<'a>(
    chapter: &Chapter,
    before: &'a [Chapter],
) -> Result<Option<&'a Chapter>, Error> {
    let Some(base) = &chapter.about.base else { return Ok(None) };
    let before = before.iter().take_while(|other| other.short != chapter.short);
    match before.into_iter().find(|other| other.short == *base) {
        Some(found) => Ok(Some(found)),
        None => {
            let manifest = chapter.folder.join("Cargo.toml");
            let expected = "expected an earlier chapter, as \"ch07\"";
            Err(problem_at(&manifest, format!("base = {base:?}: {expected}")))
        }
    }
}

/// The names of all chapters, in order: of folders that a package is in.
pub fn names(root: &Path) -> Result<Vec<String>, Error> {
    let folder = root.join("chapters");
    let unreadable = |error: io::Error| problem_at(&folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned();
        if short_name(&name).is_some() && folder.join(&name).join("Cargo.toml").is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// `ch02` of `ch02-kv-cache`; `None` for a folder that is no chapter.
pub fn short_name(name: &str) -> Option<&str> {
    let (short, rest) = name.split_once('-')?;
    let digits = short.strip_prefix("ch")?;
    let numbered = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
    (numbered && !rest.is_empty()).then_some(short)
}

/// A chapter, and the two that it may be made from.
#[derive(Clone, Debug)]
pub struct Found {
    pub chapter: Chapter,
    /// The one before it; none of the first.
    pub before: Option<Chapter>,
    /// The one whose library it builds on; none of a chapter that is whole.
    pub base: Option<Chapter>,
    /// That one's own base, and so on.
    pub below: Vec<Chapter>,
}

impl Found {
    /// The base and all below it, as far down as a file may come from.
    pub fn bases(&self) -> impl Iterator<Item = &Chapter> {
        self.base.iter().chain(&self.below)
    }

    /// What is told of their manifests.
    pub fn manifests_of_bases(&self) -> Result<Vec<String>, Error> {
        self.bases().map(Chapter::told_manifest).collect()
    }
}

/// The chapter that the reader names.
pub fn find(root: &Path, short: &str) -> Result<Found, Error> {
    let all = all(root)?;
    match all.iter().position(|chapter| chapter.short == short) {
        Some(at) => {
            let base = base_of(&all[at], &all)?;
            let (mut below, mut top) = (Vec::new(), base);
            while let Some(chapter) = top {
                top = base_of(chapter, &all)?;
                below.extend(top.cloned());
            }
            Ok(Found {
                chapter: all[at].clone(),
                before: at.checked_sub(1).map(|before| all[before].clone()),
                base: base.cloned(),
                below,
            })
        }
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

/// The reader's own folder of this chapter's base, if the reader's chapter builds on that one.
pub fn own_base(root: &Path, chapter: &Chapter) -> Option<PathBuf> {
    let base = chapter.about.base.as_ref()?;
    let own = own(root, base);
    let manifest =
        fs::read_to_string(self::own(root, &chapter.short).join("Cargo.toml")).ok()?;
    manifest.contains(&format!("\"../{base}\"")).then_some(own)
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
    children::join(command.current_dir(folder));
    command
}

/// Builds the package in `folder` and puts its program aside under `name`: a reader's chapter is called as the
/// course's own, and the next build of the other one would overwrite it.
pub fn build(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let mut build = cargo(folder);
    build.arg("build");
    built(build, folder, name)
}

/// The same, fast enough to be measured.
pub fn build_release(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let mut build = cargo(folder);
    build.args(["build", "--release"]);
    built(build, folder, name)
}

/// The same with this command, for the program whose source is in `folder`.
pub fn built(mut build: Command, folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let root = root();
    let shown = path_line(folder.strip_prefix(&root).unwrap_or(folder));
    if !folder.join("src/main.rs").is_file() {
        return Err(problem(format!(
            "{shown} has no src/main.rs yet, so there is nothing to run: `cargo check` there tells whether it compiles"
        )));
    }
    let output = build.args(["--quiet", MESSAGES]).stderr(Stdio::inherit()).output()?;
    let executable = programs(&output.stdout).pop();
    let Some(executable) = executable.filter(|_| output.status.success()) else {
        return Err(problem(format!("{shown} does not build: the compiler says why above")));
    };
    let aside = aside(&root);
    fs::create_dir_all(&aside)?;
    let program = aside.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    replace(&program, |copy| fs::copy(&executable, copy).map(|_| ()))?;
    Ok(program)
}

/// Makes a file under another name first: another `check` may be running the old one, or would read half of the new one.
pub fn replace(file: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let new = file.with_extension(format!("new-{}", std::process::id()));
    make(&new)?;
    fs::rename(new, file)
}

/// With this Cargo names what it makes, and the compiler speaks as ever.
pub const MESSAGES: &str = "--message-format=json-render-diagnostics";

/// The programs that a build made or found made, as Cargo names them with [`MESSAGES`].
pub fn programs(messages: &[u8]) -> Vec<PathBuf> {
    let program = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    String::from_utf8_lossy(messages).lines().filter_map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_has_a_number_and_a_name() {
        assert_eq!(short_name("ch02-kv-cache"), Some("ch02"));
        for other in ["part0-exercises", "ch2-kv", "ch02", "ch02-", "chxx-kv", "ch002-kv"] {
            assert_eq!(short_name(other), None, "{other}");
        }
    }

    #[test]
    fn every_chapter_describes_itself() {
        let all = all(&root()).expect("the chapters can be read");
        assert!(all.len() >= 4, "{all:?}");
        for chapter in all {
            assert!(chapter.folder.join("src/main.rs").is_file(), "{}", chapter.name);
        }
    }
}
