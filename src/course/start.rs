//! `start ch02`: a copy of the chapter before, in a folder of the reader's own, to type along in.
//!
//! `my/` is a workspace of its own beside the course's: Git ignores it, no test reads it, and the lines that the
//! book adds to a chapter's Cargo.toml work in it as they stand.

use std::fs;
use std::path::Path;

use ground::error::Error;

use course::chapters::{self, Chapter, problem};

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
    let own = chapters::own(&root, &chapter.short);
    if own.exists() {
        return Err(problem(format!(
            "my/{} exists already and is yours: move it away to start anew",
            chapter.short
        )));
    }
    workspace(&root)?;
    match &before {
        Some(before) => copy(&root, before, &chapter, &own)?,
        None => empty(&root, &chapter, &own)?,
    }
    let short = &chapter.short;
    match before {
        Some(before) => println!(
            "my/{short} is {} as it stands at its end; Cargo.toml and main.rs have the new name already.",
            before.name
        ),
        None => println!(
            "my/{short} is an empty library that builds: the book makes a program of it."
        ),
    }
    println!("Open the chapter in the book (`mdbook serve book`) and type along. Then:");
    println!("  cd my/{short} && cargo check      # at every checkpoint of the book");
    println!(
        "  cargo run                         # there, from the page on that has a main.rs"
    );
    println!(
        "  cargo run -- check {short}          # in the course's folder: where it differs"
    );
    Ok(())
}

/// The files that make `my/` a workspace: written anew each time, from the course's own.
fn workspace(root: &Path) -> Result<(), Error> {
    let my = root.join("my");
    fs::create_dir_all(my.join(".cargo"))?;
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    fs::write(my.join("Cargo.toml"), own_workspace(&manifest))?;
    fs::copy(root.join("Cargo.lock"), my.join("Cargo.lock"))?;
    // The same target folder: what the course has built is not built again.
    fs::write(my.join(".cargo/config.toml"), "[build]\ntarget-dir = \"../target\"\n")?;
    Ok(())
}

/// The course's Cargo.toml without its package and its members.
fn own_workspace(manifest: &str) -> String {
    let mut out = String::from(
        "# Written by `cargo run -- start`, anew each time.\n\
         [workspace]\nresolver = \"3\"\nmembers = [\"ch*\"]\n\n",
    );
    let mut keep = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            keep = line.starts_with("[workspace.") || line.starts_with("[profile.");
        }
        if keep {
            out.push_str(&line.replace("path = \"", "path = \"../").replace("../.\"", "..\""));
            out.push('\n');
        }
    }
    // Not a member here, but as fast as in the course.
    out.push_str("\n[profile.dev.package.ground]\nopt-level = 2\n");
    out
}

/// The chapter before, under the new chapter's name.
fn copy(root: &Path, before: &Chapter, chapter: &Chapter, own: &Path) -> Result<(), Error> {
    let source = root.join("chapters").join(&before.name);
    fs::create_dir_all(own)?;
    let renamed = |text: String| {
        text.replace(&before.name, &chapter.name)
            .replace(&before.name.replace('-', "_"), &chapter.name.replace('-', "_"))
    };
    let manifest = fs::read_to_string(source.join("Cargo.toml"))?;
    fs::write(own.join("Cargo.toml"), renamed(manifest))?;
    copy_folder(&source.join("src"), &own.join("src"), &renamed)
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
fn empty(root: &Path, chapter: &Chapter, own: &Path) -> Result<(), Error> {
    let source = root.join("chapters").join(&chapter.name);
    fs::create_dir_all(own.join("src"))?;
    fs::copy(source.join("Cargo.toml"), own.join("Cargo.toml"))?;
    let library = fs::read_to_string(source.join("src/lib.rs"))?;
    let head = library.lines().take_while(|line| line.starts_with("//!"));
    let head: String = head.map(|line| format!("{line}\n")).collect();
    fs::write(own.join("src/lib.rs"), head)?;
    Ok(())
}
