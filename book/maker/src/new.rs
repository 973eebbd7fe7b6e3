//! The next chapter: a folder, a page and their lines in the summary. It changes nothing yet.

use std::path::Path;

use catalog::chapters;
use catalog::library::{self, Names};
use catalog::manifest;

use crate::cargo::cargo;
use crate::fault::{BookError, read, write};
use crate::repository::{Chapter, LIBRARY, MANIFEST, PROGRAM, Repository, renamed};
use crate::title;

/// Makes the chapter `name`, such as `ch04-threads`, as a copy of the last one; or, on a base, as a library that is that
/// one's so far. What the book shows of it needs no file.
pub fn make(repository: &Repository, name: &str, base: Option<&str>) -> Result<(), BookError> {
    let (last, short) = follows(repository, name)?;
    let title = first_title(name);
    let mut new = Chapter {
        short: short.clone(),
        package: name.into(),
        folder: format!("chapters/{name}"),
        base: last.base.clone(),
        goes_on: last.goes_on,
        taken: last.taken.clone(),
        ..Chapter::default()
    };
    let base = base.map(|base| named(repository, base)).transpose()?;
    let base = base.filter(|base| last.base.as_ref() != Some(&base.package));
    let copied = base.unwrap_or(last);
    let file = repository.root.join(&copied.folder).join(MANIFEST);
    let manifest = read(&file)?.replace(&copied.package, name);
    let manifest = match base {
        Some(base) => manifest::on_top(&manifest, &title, &base.package, &base.short),
        None => manifest::following(&manifest, &title),
    };
    let manifest = manifest.map_err(|reason| BookError::content(&file, reason))?;
    let number = title::number(&short);
    let mut page = format!(
        "# {}\n\nThis chapter is not written yet: its program is that of the chapter before, under a new name.\n",
        title::on_page(&short, &title)
    );
    if let Some(base) = base {
        new.base = Some(base.package.clone());
        page = format!(
            "# {}\n\nThis chapter is not written yet: its package has a name of its own, and needs chapter {1}.\n\n\
             {{{{#include ../generated/{short}/Cargo.toml.md}}}}\n\n\
             Its library is that of chapter {1}, and so is its program.\n\n\
             {{{{#include ../generated/{short}/lib.rs.md}}}}\n\n\
             {{{{#include ../generated/checkpoint.md}}}}\n",
            title::on_page(&short, &title),
            title::number(&base.short)
        );
    }
    let mut files = renamed(copied, &new);
    if base.is_some() {
        let head = format!("//! Chapter {number}: {title}.");
        let theirs = &copied.files[LIBRARY];
        let library = library::begun(&head, &copied.package, theirs, &Names::new());
        files.retain(|path, _| path == PROGRAM);
        files.insert(LIBRARY.into(), library);
    } else if !last.own.is_empty() {
        files.retain(|path, _| last.own.contains(path));
    }
    files.insert(MANIFEST.into(), manifest);
    let summary = repository.book().join("SUMMARY.md");
    let listed = listed(&summary, &last.short, &short, &title)?;

    let folder = repository.root.join(&new.folder);
    for (path, text) in files {
        write(&folder.join(&path), &text)?;
    }
    write(&folder.join("exercises/Cargo.toml"), &exercises(&short))?;
    let library = "//! This chapter has no exercises yet.\n";
    write(&folder.join("exercises/src/lib.rs"), library)?;
    write(&repository.book().join(&short).join("index.md"), &page)?;
    write(&summary, &listed)?;
    // Cargo adds the two packages to the lock file. (`metadata` would ask for every platform's crates.)
    let arguments = ["update", "--quiet", "--offline", "--workspace"];
    let output = cargo(&repository.root, &arguments)?;
    if output.status.success() {
        return Ok(());
    }
    Err(BookError::Command {
        command: "cargo update --workspace".into(),
        reason: String::from_utf8_lossy(&output.stderr).trim().into(),
    })
}

/// The last chapter, which this name must follow, and the new one's short name.
fn follows<'a>(
    repository: &'a Repository,
    name: &str,
) -> Result<(&'a Chapter, String), BookError> {
    let folder = repository.root.join("chapters").join(name);
    let refused = |reason: String| Err(BookError::content(&folder, reason));
    let Some(last) = repository.chapters.last() else {
        return refused("there is no chapter before it to copy".into());
    };
    if folder.symlink_metadata().is_ok() {
        return refused("is there already".into());
    }
    let number = title::number(&last.short) + 1;
    let expected = format!("ch{number:02}");
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let words = name.split('-').all(|word| !word.is_empty() && word.chars().all(plain));
    if chapters::short_name(name) != Some(&expected) || !words {
        return refused(format!(
            "after {} a chapter is called {expected}-words-in-lower-case",
            last.package
        ));
    }
    Ok((last, expected))
}

/// The chapter to build on.
fn named<'a>(repository: &'a Repository, name: &str) -> Result<&'a Chapter, BookError> {
    let mut chapters = repository.chapters.iter();
    chapters.find(|c| c.short == name || c.package == name).ok_or_else(|| {
        let reason = format!("no chapter '{name}' for another one to build on");
        BookError::content(&repository.root.join("chapters"), reason)
    })
}

/// `Fast prefill` for `ch06-fast-prefill`: until somebody finds a better one.
fn first_title(name: &str) -> String {
    let words = name.split_once('-').map_or(name, |(_, words)| words).replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The summary with a line more, after the last chapter's pages.
fn listed(summary: &Path, last: &str, short: &str, title: &str) -> Result<String, BookError> {
    let text = read(summary)?;
    let mut lines: Vec<&str> = text.lines().collect();
    let page = format!("- [{}]({short}/index.md)", title::in_summary(short, title));
    let beside = format!("]({last}/");
    let at = lines.iter().rposition(|line| line.contains(&beside)).ok_or_else(|| {
        BookError::content(summary, format!("expected a line of {last} with '{beside}'"))
    })?;
    lines.insert(at + 1, &page);
    Ok(lines.join("\n") + "\n")
}

fn exercises(short: &str) -> String {
    format!(
        "[package]\nname = \"{short}-exercises\"\n\
         version.workspace = true\nedition.workspace = true\npublish.workspace = true\n\n\
         # A starter does not use its arguments yet.\n\
         [lints.rust]\ndead_code = \"allow\"\nunused_variables = \"allow\"\n\n\
         [lib]\ndoctest = false\n\n\
         [dependencies]\nexercise-kit = {{ path = \"../../../tests/exercises/kit\" }}\n"
    )
}
