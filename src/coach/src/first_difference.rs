//! Where what a reader typed is another text than the course's: when a number is wrong, one of these lines is why.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

/// The first line of one file that the course's file does not have there.
pub struct Line {
    /// `src/rope.rs`
    pub file: String,
    /// None: there is no such file, or it ends where the course's goes on.
    at: Option<(usize, String)>,
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match &self.at {
            Some((number, text)) => write!(
                out,
                "{}, line {number}, the first that isn't the course's:\n          {text}",
                self.file
            ),
            None => write!(out, "{}, which ends too early or isn't there", self.file),
        }
    }
}

/// The Rust files of a chapter, as they are now.
pub fn read(chapter: &Path) -> BTreeMap<String, String> {
    let mut files = Vec::new();
    sources(chapter, "src", &mut files);
    let text = |file: &String| fs::read_to_string(chapter.join(file)).unwrap_or_default();
    files.into_iter().map(|file| (file.clone(), text(&file))).collect()
}

/// One line of each file of the chapter in `theirs` that is not in `mine` as it is there, those first that `look` names, in
/// its order. `mine` was read before it was compiled: the reader may be typing.
pub fn apart(mine: &BTreeMap<String, String>, theirs: &Path, look: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = read(theirs)
        .into_iter()
        .filter_map(|(file, text)| {
            let at = first_apart(mine.get(&file).map_or("", |mine| mine), &text)?;
            Some(Line { file, at })
        })
        .collect();
    // A folder, `src/cache`, is named with all its files.
    let named = |line: &Line| {
        let places = line.file.match_indices(['/', '.']).map(|(end, _)| &line.file[..end]);
        let places = places.skip(1).chain([line.file.as_str()]);
        places.filter_map(|place| look.find(place)).min().unwrap_or(usize::MAX)
    };
    // A mistake is seldom where a program only names its modules.
    let is_frame = |line: &Line| matches!(line.file.as_str(), "src/lib.rs" | "src/main.rs");
    lines.sort_by_key(|line| (named(line), is_frame(line), line.file.clone()));
    lines
}

/// All Rust files of a package's folder.
pub fn sources(chapter: &Path, folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(chapter.join(folder)).into_iter().flatten().flatten() {
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            sources(chapter, &name, found);
        } else if name.ends_with(".rs") {
            found.push(name);
        }
    }
}

/// The first line of `mine` with something else than `theirs`: how the lines are broken and what comments say is no
/// difference. Some(None): `mine` only ends too early.
fn first_apart(mine: &str, theirs: &str) -> Option<Option<(usize, String)>> {
    let mut theirs = letters(theirs);
    for (number, letter) in letters(mine) {
        if theirs.next().map(|(_, letter)| letter) != Some(letter) {
            let text = mine.lines().nth(number).unwrap_or_default().trim();
            return Some(Some((number + 1, text.to_string())));
        }
    }
    theirs.next().map(|_| None)
}

/// What a compiler reads, with the numbers of the lines. A comma before the end of a list comes and goes with the lines.
fn letters(text: &str) -> impl Iterator<Item = (usize, char)> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.enumerate().flat_map(|(number, line)| {
        let kept = |letter: &char| !letter.is_whitespace() && *letter != ',';
        line.chars().filter(kept).map(move |letter| (number, letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_other_line_is_told_and_neither_form_nor_comments_are() {
        let theirs = "// why\nfn f(a: A, b: B) {\n    rope(x, position);\n}\n";
        let same = "fn f(\n    a: A,\n    b: B,\n) {\n    rope(x, position); // so\n}";
        assert_eq!(first_apart(same, theirs), None);
        let other = "fn f(a: A, b: B) {\n    // so\n    rope(x, 0);\n}\n";
        assert_eq!(first_apart(other, theirs), Some(Some((3, "rope(x, 0);".into()))));
        assert_eq!(first_apart("fn f(a: A", theirs), Some(None));
    }

    #[test]
    fn files_that_are_named_come_first() {
        let theirs = tempfile::tempdir().unwrap();
        fs::create_dir_all(theirs.path().join("src/cache")).expect("a folder");
        for file in ["src/a.rs", "src/b.rs", "src/cache/basic.rs", "src/c.rs"] {
            fs::write(theirs.path().join(file), "x").expect("a file");
        }
        let found = |look: &str| -> Vec<String> {
            let lines = apart(&BTreeMap::new(), theirs.path(), look);
            lines.into_iter().map(|line| line.file).collect()
        };
        let expected = ["src/c.rs", "src/cache/basic.rs", "src/a.rs", "src/b.rs"];
        assert_eq!(found("src/c.rs, and what src/cache keeps"), expected);
    }
}
