//! `lib.rs` of a chapter on a base. What the chapter has no file of its own for, it takes from the base by name:
//!
//! ```
//! use ch08_f16_cache as base;
//!
//! pub use base::{attention, backend, cache};
//! ```
//!
//! So `crate::attention` is the base's, and whoever looks for it finds the word in `lib.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Names of modules.
pub type Names = BTreeSet<String>;

/// The most columns of a line, as rustfmt.toml says.
const WIDTH: usize = 96;

/// The modules that these files are in: `src/cache/mode.rs` is in `cache`.
pub fn modules_of<'a>(files: impl Iterator<Item = &'a str>) -> Names {
    files.filter_map(module_of).map(String::from).collect()
}

/// The module that this file is in.
pub fn module_of(file: &str) -> Option<&str> {
    let name = file.strip_prefix("src/")?.split(['/', '.']).next()?;
    Some(name).filter(|name| !["lib", "main"].contains(name))
}

/// The modules that this chapter's folder has of its own.
pub fn modules_in(chapter: &Path) -> io::Result<Names> {
    let entries = fs::read_dir(chapter.join("src"))?;
    let files = entries.map(|entry| {
        let name = entry?.file_name().to_string_lossy().into_owned();
        Ok(format!("src/{name}"))
    });
    let files = files.collect::<io::Result<Vec<_>>>()?;
    Ok(modules_of(files.iter().map(String::as_str)))
}

/// A library that takes all modules and functions of its base's, but for what the chapter has `own` files for.
pub fn begun(head: &str, base: &str, library: &str, own: &Names) -> String {
    let (mut taken, _) = without_modules(library);
    taken.extend(list(library).map(|(_, names, _)| names).unwrap_or_default());
    let own = taken.extract_if(.., |name| own.contains(name)).collect();
    let functions = library.lines().filter_map(|line| line.strip_prefix("pub fn "));
    taken.extend(functions.filter_map(|line| Some(line.split(['(', '<']).next()?.into())));
    let head = head.trim_end();
    declaring(&format!("{head}\n\n{}\n", taking_from(base, &taken)), &own)
}

/// The base's own `lib.rs` as a chapter begins with it that goes on from there: it declares what the chapter has `own`
/// files for, and takes the other modules from the base.
pub fn going_on(library: &str, base: &str, own: &Names) -> String {
    let (mut taken, rest) = without_modules(library);
    let own = taken.extract_if(.., |name| own.contains(name)).collect();
    let at = rest.find("\n\n").map_or(0, |end| end + 2);
    let (head, rest) = rest.split_at(at);
    let taken = taking_from(base, &taken);
    declaring(&format!("{head}{taken}\n\n{}", rest.trim_start()), &own)
}

/// The `lib.rs` of the chapter before, on the same base: it declares what this chapter has `own` files for.
pub fn taking_less(library: &str, own: &Names) -> String {
    let Some((before, mut taken, after)) = list(library) else { return library.into() };
    let own: Names = taken.extract_if(.., |name| own.contains(name)).collect();
    if own.is_empty() {
        return library.into();
    }
    declaring(&format!("{before}{}{after}", all_of(&taken)), &own)
}

fn taking_from(base: &str, taken: &Names) -> String {
    format!("use {} as base;\n\n{}", base.replace('-', "_"), all_of(taken))
}

/// What is before the names that are taken from the base, these, and what is after them.
fn list(library: &str) -> Option<(&str, Names, &str)> {
    const BEGINS: &str = "pub use base::";
    let at = library.find(BEGINS)?;
    let end = at + library[at..].find(';')? + 1;
    let names = library[at + BEGINS.len()..end - 1].trim_matches(['{', '}']).split(',');
    let names = names.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
    Some((&library[..at], names.collect(), &library[end..]))
}

/// As rustfmt writes it.
fn all_of(names: &Names) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let line = match &names[..] {
        [name] => format!("pub use base::{name};"),
        names => format!("pub use base::{{{}}};", names.join(", ")),
    };
    if line.len() <= WIDTH {
        return line;
    }
    let mut lines = vec![String::new()];
    for name in names {
        let last = lines.last().map_or(0, String::len);
        // Four spaces before, a blank, and the comma after: and rustfmt leaves the last column of a list free.
        if last > 0 && 4 + last + 1 + name.len() + 1 >= WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            *line += &format!("{}{name},", if line.is_empty() { "" } else { " " });
        }
    }
    format!("pub use base::{{\n    {}\n}};", lines.join("\n    "))
}

fn declared(line: &str) -> Option<&str> {
    line.strip_prefix("pub mod ")?.strip_suffix(';')
}

/// The modules that a library declares, and the rest of it.
fn without_modules(library: &str) -> (Names, String) {
    let names = library.lines().filter_map(declared).map(String::from).collect();
    let rest = library.lines().filter(|line| declared(line).is_none());
    (names, rest.map(|line| format!("{line}\n")).collect())
}

/// Declares these modules among those that are declared already, or after what is taken from the base.
fn declaring(library: &str, own: &Names) -> String {
    let (mut names, rest) = without_modules(library);
    let place = library.lines().position(|line| declared(line).is_some());
    names.extend(own.iter().cloned());
    let names: String = names.iter().map(|name| format!("pub mod {name};\n")).collect();
    let at = match (place, list(&rest)) {
        (Some(line), _) => rest.split_inclusive('\n').take(line).map(str::len).sum(),
        (None, Some((_, _, after))) => rest.len() - after.len() + 1,
        (None, None) => rest.len(),
    };
    let (before, after) = rest.split_at(at);
    let blank = if place.is_none() && !names.is_empty() { "\n" } else { "" };
    format!("{before}{blank}{names}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str =
        "//! Whole.\n\npub mod a;\npub mod b;\npub mod c;\n\nuse x::y;\n\npub fn run() {}\n";

    fn names(names: &[&str]) -> Names {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn what_a_chapter_has_no_file_for_it_takes_by_name() {
        assert_eq!(
            going_on(BASE, "ch01-two", &names(&["b", "new"])),
            "//! Whole.\n\nuse ch01_two as base;\n\npub use base::{a, c};\n\npub mod b;\n\nuse x::y;\n\npub fn run() {}\n"
        );
        let begun = begun("//! Top.\n", "ch01-two", BASE, &names(&[]));
        let expected = "//! Top.\n\nuse ch01_two as base;\n\npub use base::{a, b, c, run};\n";
        assert_eq!(begun, expected);
        // And that one's next, which has a file of its own.
        let next = taking_less(&begun, &names(&["b"]));
        let expected =
            "//! Top.\n\nuse ch01_two as base;\n\npub use base::{a, c, run};\n\npub mod b;\n";
        assert_eq!(next, expected);
        assert_eq!(super::begun("//! Top.\n", "ch01-two", BASE, &names(&["b"])), expected);
        let last = taking_less(&next, &names(&["a", "b", "c", "run"]));
        assert!(last.ends_with(
            "\n\npub use base::{};\n\npub mod a;\npub mod b;\npub mod c;\npub mod run;\n"
        ));
        assert_eq!(taking_less(BASE, &names(&["b"])), BASE);
    }

    #[test]
    fn the_modules_of_a_chapter_are_its_files_and_folders() {
        let files =
            ["src/lib.rs", "src/main.rs", "src/cache/mode.rs", "src/far.rs", "Cargo.toml"];
        assert_eq!(modules_of(files.into_iter()), names(&["cache", "far"]));
    }

    /// Lines that a page prints are as rustfmt writes them: `cargo fmt --check` looks at every chapter's.
    #[test]
    fn many_names_fill_lines() {
        let many: Names = (10..40).map(|n| format!("name{n}")).collect();
        let text = all_of(&many);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        for line in &lines[1..3] {
            // The next name would not have gone there.
            assert!((WIDTH - " name10,".len() + 1..=WIDTH).contains(&line.len()), "{line}");
        }
    }
}
