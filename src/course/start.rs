//! `start ch02`: a copy of the chapter before, in a folder of the reader's own, to type along in.
//!
//! `my/` is a workspace of its own beside the course's: Git ignores it, no test reads it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use course::about;
use course::chapters::{self, Chapter, problem, problem_at};
use course::workspace;
use ground::error::Error;
use ground::text::path_line;

/// Which chapter to type along.
#[derive(clap::Args)]
pub struct Args {
    /// The chapter, as ch02
    chapter: String,
}

/// Makes the folder, and says what to do next.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let (chapter, before) = chapters::find(&root, &args.chapter)?;
    make(&root, &chapter, before.as_ref())?;
    let short = &chapter.short;
    let mut out = io::stdout().lock();
    match before {
        Some(before) => writeln!(
            out,
            "my/{short} is {} as it stands at its end; Cargo.toml and main.rs have the new name already.",
            before.name
        )?,
        None => writeln!(
            out,
            "my/{short} is an empty library that builds: the book makes a program of it."
        )?,
    }
    writeln!(out, "Open the chapter in the book (`mdbook serve book`) and type along. Then:")?;
    writeln!(out, "  cd my/{short} && cargo check      # at every checkpoint of the book")?;
    writeln!(
        out,
        "  cargo run                         # there, from the page on that has a main.rs"
    )?;
    writeln!(
        out,
        "  cargo run -- check {short}          # in the course's folder: where it differs"
    )?;
    if let Some(part) = chapter.about.parts.first() {
        writeln!(
            out,
            "  cargo run -- check {short} --part {part}   # there: one part by itself, even without a program"
        )?;
    }
    Ok(out.flush()?)
}

fn make(root: &Path, chapter: &Chapter, before: Option<&Chapter>) -> Result<(), Error> {
    let own = chapters::own(root, &chapter.short);
    if own.symlink_metadata().is_ok() {
        return Err(problem(format!(
            "my/{} exists already and is yours: move it away to start anew",
            chapter.short
        )));
    }
    own_workspace(root)?;
    match before {
        Some(before) => copy(before, chapter, &own),
        None => empty(chapter, &own),
    }
}

/// The first line of what `start` writes: a file that begins otherwise is the reader's.
const WRITTEN: &str = "# Written by `cargo run -- start`, anew each time.\n";

/// The files that make `my/` a workspace: written anew each time, from the course's own.
fn own_workspace(root: &Path) -> Result<(), Error> {
    let my = root.join("my");
    let manifest = root.join("Cargo.toml");
    let workspace = workspace::beside(&fs::read_to_string(&manifest)?, "ch*", "..")
        .map_err(|reason| problem_at(&manifest, reason))?;
    // The same target folder: what the course has built is not built again.
    let config = "[build]\ntarget-dir = \"../target\"\n";
    let files = [("Cargo.toml", workspace.as_str()), (".cargo/config.toml", config)];
    no_link(&my)?;
    for place in [".cargo", ".cargo/config.toml", "Cargo.toml", "Cargo.lock"] {
        no_link(&my.join(place))?;
    }
    for (name, text) in files {
        ours(&my.join(name), text)?;
    }
    fs::create_dir_all(my.join(".cargo"))?;
    for (name, text) in files {
        fs::write(my.join(name), format!("{WRITTEN}{text}"))?;
    }
    fs::copy(root.join("Cargo.lock"), my.join("Cargo.lock"))?;
    Ok(())
}

/// What a link leads to may be anything, and is not ours to write.
fn no_link(path: &Path) -> Result<(), Error> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => Err(problem(format!(
            "{} is a symbolic link, and start writes through none: put a folder or nothing there",
            path_line(path)
        ))),
        _ => Ok(()),
    }
}

/// A file that begins in another way was written by the reader, unless it says the same.
fn ours(path: &Path, text: &str) -> Result<(), Error> {
    let known =
        |found: &[u8]| found.starts_with(WRITTEN.as_bytes()) || found == text.as_bytes();
    match fs::read(path) {
        Ok(found) if !known(&found) => Err(problem(format!(
            "{} was not written by start and is yours: move it away first",
            path_line(path)
        ))),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(problem_at(path, error)),
        _ => Ok(()),
    }
}

/// The chapter before, under the new chapter's name.
fn copy(before: &Chapter, chapter: &Chapter, own: &Path) -> Result<(), Error> {
    fs::create_dir_all(own)?;
    let renamed = |text: String| {
        text.replace(&before.name, &chapter.name)
            .replace(&before.name.replace('-', "_"), &chapter.name.replace('-', "_"))
    };
    fs::write(own.join("Cargo.toml"), renamed(manifest(before)?))?;
    copy_folder(&before.folder.join("src"), &own.join("src"), &renamed)
}

/// What the book tells of the chapter's Cargo.toml: a reader types nothing that only tools and tests read.
fn manifest(chapter: &Chapter) -> Result<String, Error> {
    let path = chapter.folder.join("Cargo.toml");
    about::told(&fs::read_to_string(&path)?).map_err(|reason| problem_at(&path, reason))
}

fn copy_folder(
    from: &Path,
    to: &Path,
    renamed: &impl Fn(String) -> String,
) -> Result<(), Error> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target, renamed)?;
        } else {
            fs::write(target, renamed(fs::read_to_string(entry.path())?))?;
        }
    }
    Ok(())
}

/// The first chapter has none before it: its Cargo.toml, and of its library the line that says what it is.
fn empty(chapter: &Chapter, own: &Path) -> Result<(), Error> {
    fs::create_dir_all(own.join("src"))?;
    fs::write(own.join("Cargo.toml"), manifest(chapter)?)?;
    let library = fs::read_to_string(chapter.folder.join("src/lib.rs"))?;
    let head = library.lines().take_while(|line| line.starts_with("//!"));
    let head: String = head.map(|line| format!("{line}\n")).collect();
    fs::write(own.join("src/lib.rs"), head)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "[workspace]\nmembers = [\"chapters/*\"]\n\n[workspace.dependencies]\nground = { path = \"src/ground\" }\n";
    const CHAPTER: &str = "[package]\nname = \"ch00-sum\"\n\n[dev-dependencies]\n\n[package.metadata.course]\ntitle = \"Sum\"\nbudget = 9\nways = [{ flags = [] }]\n";

    /// A course of two chapters.
    fn small() -> tempfile::TempDir {
        small_in("small")
    }

    /// In a folder whose name begins like this.
    fn small_in(name: &str) -> tempfile::TempDir {
        let folder = tempfile::Builder::new().prefix(name).tempdir();
        let folder = folder.expect("a temporary folder");
        let root = folder.path();
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write("Cargo.toml", ROOT);
        write("Cargo.lock", "version = 4\n");
        write("chapters/ch00-sum/Cargo.toml", CHAPTER);
        write("chapters/ch00-sum/src/lib.rs", "//! Sums.\n\npub fn ch00() {}\n");
        write("chapters/ch00-sum/src/main.rs", "fn main() {\n    ch00_sum::ch00();\n}\n");
        write("chapters/ch01-more/Cargo.toml", &CHAPTER.replace("ch00-sum", "ch01-more"));
        folder
    }

    fn start(root: &Path, short: &str) -> Result<(), Error> {
        let (chapter, before) = chapters::find(root, short)?;
        make(root, &chapter, before.as_ref())
    }

    fn read(root: &Path, file: &str) -> String {
        fs::read_to_string(root.join(file)).expect(file)
    }

    #[test]
    fn a_reader_gets_the_chapter_before_and_nothing_that_only_tools_read() {
        let folder = small();
        let root = folder.path();
        for short in ["ch01", "ch00"] {
            start(root, short).expect("started");
        }
        assert_eq!(read(root, "my/ch01/Cargo.toml"), "[package]\nname = \"ch01-more\"\n");
        assert_eq!(
            read(root, "my/ch01/src/main.rs"),
            "fn main() {\n    ch01_more::ch00();\n}\n"
        );
        assert_eq!(read(root, "my/ch00/src/lib.rs"), "//! Sums.\n");
        let workspace = read(root, "my/Cargo.toml");
        assert!(workspace.starts_with(WRITTEN), "{workspace}");
        assert!(workspace.contains("{ path = \"../src/ground\" }"), "{workspace}");
        let again = start(root, "ch01").expect_err("it is there");
        assert!(again.to_string().contains("is yours"), "{again}");
    }

    #[test]
    fn what_the_reader_wrote_is_not_overwritten() {
        for file in ["Cargo.toml", ".cargo/config.toml"] {
            let folder = small();
            let root = folder.path();
            fs::create_dir_all(root.join("my/.cargo")).expect("made");
            fs::write(root.join("my").join(file), "[mine]\n").expect("written");
            let error = start(root, "ch01").expect_err("not its own").to_string();
            assert!(error.contains(file) && error.contains("is yours"), "{error}");
            assert_eq!(read(root, &format!("my/{file}")), "[mine]\n");
            assert!(!root.join("my/ch01").exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_any_name_is_shown_in_one_line() {
        let break_it: [fn(&Path); 4] = [
            |root| {
                fs::write(root.join("chapters/ch00-sum/Cargo.toml"), "a = 1").expect("written")
            },
            |root| fs::write(root.join("Cargo.toml"), "[a]").expect("written"),
            |root| fs::create_dir_all(root.join("my/Cargo.toml")).expect("made"),
            |root| std::os::unix::fs::symlink("a", root.join("my")).expect("linked"),
        ];
        for break_it in break_it {
            let folder = small_in("a\n\u{1b}[2J");
            break_it(folder.path());
            let error = start(folder.path(), "ch01").expect_err("broken").to_string();
            assert!(error.contains(r"a\n\u{1b}[2J"), "{error}");
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        for name in [
            "my",
            "my/.cargo",
            "my/.cargo/config.toml",
            "my/Cargo.toml",
            "my/Cargo.lock",
            "my/ch01",
        ] {
            let folder = small();
            let root = folder.path();
            let elsewhere = tempfile::tempdir().expect("a temporary folder");
            let target = elsewhere.path().join("nothing");
            let link = root.join(name);
            fs::create_dir_all(link.parent().expect("a folder")).expect("made");
            std::os::unix::fs::symlink(&target, &link).expect("linked");
            let error = start(root, "ch01").expect_err(name).to_string();
            assert!(error.contains(name) && !error.contains('\n'), "{error}");
            assert!(!target.exists(), "{name}");
        }
    }
}
